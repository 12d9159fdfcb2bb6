import { DAY } from '../../../model/units.js'
import { plainCommand } from '../../command.js'
import { confirmed, type Environment, exitCode } from '../../environment.js'
import { readHistories } from '../../recorded-histories.js'
import { jsonText } from '../../text/json.js'
import { kindLists } from '../../text/kind-list.js'
import {
  allContenders,
  type EvaluateFlags,
  type EvaluateSettings,
  evaluateEffort,
  evaluateHelp,
  evaluateOptions,
  evaluateSettings,
  tooMuch,
  warmUp,
} from './options.js'
import {
  type EvaluatedPart,
  type ObjectsFor,
  ownHistories,
  ownPolicies,
  runEvaluation,
  tellShort,
} from './run.js'
import { evaluationText, scoreRows, scoresText, shownBySource } from './tables.js'

/** The evaluation as one JSON text: means over the seeds, with their spread, in all and by source. */
export function evaluateJson(parts: readonly EvaluatedPart[], settings: EvaluateSettings): string {
  const { length, seeds, lastModified } = settings
  const found = parts.map(({ pages, size, rows }) => ({ which: pages, ...size, rows }))
  const about = { days: length / DAY, seeds, lastModified, lateAfter: warmUp }
  return jsonText({ ...about, parts: found })
}

/** `revisit evaluate`: how policies do on recorded histories. */
export const evaluateCommand = plainCommand({
  description:
    'Replays recorded changes of real pages under a budget of visits, with every policy there is and with your own, and shows how fresh the copies were and how late changes were noticed.',
  options: evaluateOptions,
  more: evaluateHelp,
  run: (environment, _, flags) => evaluate(environment, flags),
})

async function evaluate(environment: Environment, flags: EvaluateFlags): Promise<number> {
  if (flags.policies === 'list') {
    const list = { option: 'policies', asked: flags.policies, kinds: allContenders }
    environment.out.write(kindLists([list], { json: flags.json === true }) ?? '')
    return exitCode.done
  }
  const chosen = evaluateSettings(flags)
  const { histories, objects: described, html } = chosen
  const inputs = [histories, described].filter((each) => each !== undefined)
  if (html !== undefined) await environment.mayReplace(html, inputs)
  const own = await ownPolicies(environment, { files: chosen.policyFiles, others: allContenders })
  const settings = { ...chosen, contenders: [...chosen.contenders, ...own] }
  const shown = shownBySource(settings, { own: own.map(({ name }) => name) })
  const [firstSeed] = settings.seeds
  const first =
    histories === undefined
      ? await ownHistories(environment, { flags, settings, seed: firstSeed! })
      : await readHistories(environment, { histories, objects: described })
  const what = histories === undefined ? 'visits' : 'histories'
  tellShort(environment, { records: first, what, budgets: settings.budgets })
  const objectsFor: ObjectsFor = async (seed) =>
    histories !== undefined || seed === firstSeed
      ? first
      : ownHistories(environment, { flags, settings, seed })
  const about = tooMuch(evaluateEffort(first, settings))
  if (about !== undefined && !(await confirmed(environment, { yes: settings.yes, about })))
    return exitCode.refused
  if (settings.scores === 'log-loss') {
    const rows = await scoreRows(objectsFor, settings)
    environment.out.write(settings.json ? jsonText({ scores: rows }) : scoresText(rows))
    return exitCode.done
  }
  const parts = await runEvaluation(environment, { objectsFor, settings })
  const { seeds } = settings
  environment.out.write(
    settings.json ? evaluateJson(parts, settings) : evaluationText({ parts, seeds, shown }),
  )
  if (html !== undefined) {
    const { version } = environment
    const { evaluateHtml } = await import('./html.js')
    await environment.save(html, evaluateHtml(parts, { version, seeds, shown }))
  }
  return exitCode.done
}
