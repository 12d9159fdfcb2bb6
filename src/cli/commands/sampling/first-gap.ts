import { firstGapOf, lawOfPrior } from '../../../estimators/prior/fitted-rates.js'
import type { FirstGapCurve } from '../../../estimators/prior/new-pages.js'
import type { PriorForm } from '../../../estimators/prior/rate-prior.js'
import { ForwardHistories } from '../../../formats/histories/page-histories.js'
import { Problems } from '../../../formats/problems.js'
import { humanDuration } from '../../../model/duration.js'
import { OptionError } from '../../../model/errors.js'
import type { History } from '../../../model/history.js'
import type { Seconds } from '../../../model/units.js'
import {
  empiricalPriorOf,
  type FoundPrior,
  fittedPriorIn,
  givenPrior,
  priorAsked,
  type priorOptions,
} from '../../asked-prior.js'
import type { FlagsOf } from '../../command.js'
import type { Environment, TextOutput } from '../../environment.js'
import { jsonText } from '../../text/json.js'
import { columns, tableText } from '../../text/table.js'
import { logOf, problemLines } from '../../visit-log.js'

type Flags = FlagsOf<typeof priorOptions> & { readonly prior?: string; readonly json?: boolean }

/** Rows of the table: enough to see how much the first gap matters. */
const mostRows = 12

/** `revisit sampling --prior`: the first gap after which estimates of new pages come nearest to the truth. */
export async function writeFirstGap(
  environment: Environment,
  { file, flags }: { readonly file: string | undefined; readonly flags: Flags },
): Promise<void> {
  const found = await foundPrior(environment, { file, flags })
  const curve = firstGapOf(lawOfPrior(found.prior))
  const start = startOf(found.prior)
  const { out } = environment
  if (flags.json === true) out.write(jsonText({ prior: found.words, start, ...curve }))
  else writeCurve(out, { found, curve, start })
}

async function foundPrior(
  environment: Environment,
  { file, flags }: { readonly file: string | undefined; readonly flags: Flags },
): Promise<FoundPrior> {
  const asked = priorAsked(flags)!
  if (asked === 'empirical')
    return empiricalPriorOf(await loggedHistories(environment, file), flags)
  if (file !== undefined)
    throw new OptionError('options-conflict', 'a log goes with --prior empirical')
  return asked === 'fitted' ? fittedPriorIn(environment, flags) : givenPrior(asked)
}

async function loggedHistories(
  environment: Environment,
  file: string | undefined,
): Promise<History[]> {
  const now = environment.now()
  const histories = new ForwardHistories({ now, seed: environment.seed })
  const problems = new Problems({ strict: false })
  const settings = { format: undefined, time: undefined, zone: undefined, now }
  const read = await logOf(environment, { file, take: histories.take, settings, problems })
  for (const line of problemLines(problems, read)) environment.err.write(`${line}\n`)
  return Array.from({ length: histories.pages }, (_, page) => histories.history(page) ?? []).flat()
}

/** Where pages begin with two pseudo-gaps: c / ln(1 + c / u) solves eq. 2 for one gap of each kind. */
function startOf(prior: PriorForm): Seconds | null {
  if (prior.kind === 'law') return null
  const { changed, unchanged } = prior.pseudoGaps
  return changed / Math.log1p(changed / unchanged)
}

function writeCurve(
  out: TextOutput,
  about: {
    readonly found: FoundPrior
    readonly curve: FirstGapCurve
    readonly start: Seconds | null
  },
): void {
  const { best, curve } = about.curve
  const step = Math.max(1, Math.floor(curve.length / mostRows))
  const shown = curve.filter((point, i) => i % step === 0 || point === best)
  const rows = shown.map((point) => [
    humanDuration(point.firstGap),
    humanDuration(point.deviation),
    point === best ? 'best' : '',
  ])
  out.write(
    `The first gap of a new page, from ${about.found.words}\n(how far estimates are off over the first five visits, median; next gaps 0.8 of the estimate):\n\n`,
  )
  out.write(tableText({ columns: columns('first gap', '>off by', ''), rows }))
  out.write(`\nBest first gap: ${humanDuration(best.firstGap)} (Grimes & Ford, section 4.2).\n`)
  if (about.start !== null)
    out.write(
      `With the two pseudo-gaps in front of its data a page begins at ${humanDuration(about.start)} (section 5).\n`,
    )
}
