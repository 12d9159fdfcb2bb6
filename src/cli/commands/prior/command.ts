import { buffer } from 'node:stream/consumers'
import { InputError, OptionError } from '../../../model/errors.js'
import type { Store } from '../../../model/store.js'
import type { Json } from '../../../model/units.js'
import { priorSetting, storedPrior } from '../../../planner/collection/scan.js'
import { defaultPrior } from '../../../planner/prior/default-prior.js'
import { type AutoPrior, parseAutoPrior } from '../../../planner/prior/prior.js'
import {
  ratePriorSetting,
  type StoredRates,
  storedRates,
} from '../../../planner/prior/stored-rates.js'
import { type CommandGroup, storeCommand } from '../../command.js'
import { type Configured, type CrawlerFlags, configured, withStore } from '../../configured.js'
import { type Environment, exitCode } from '../../environment.js'
import { jsonText } from '../../text/json.js'
import { type Asked, fitHelp, fitOptions, fitted, keep, storeRates } from './fit.js'
import { ratesText } from './rates-text.js'
import { priorText } from './text.js'

/** `revisit prior show|fit|export|import`: what is assumed of pages before they are visited. */
export const priorCommand: CommandGroup = {
  description:
    'The prior: what is assumed of pages before they are visited. run learns it anew by itself as the collection grows.',
  subcommands: {
    show: {
      summary: 'print it in words',
      command: storeCommand({
        description: 'What is assumed of pages before they are visited, in words.',
        options: [['--group <name>', 'the change law of this group or host']],
        run: (environment, _, flags) =>
          withPrior(environment, flags, (asked) => show(asked, flags.group), { readOnly: true }),
      }),
    },
    fit: {
      summary: 'learn it from the visits of the collection, or from a log',
      command: storeCommand({
        description:
          'Learn the prior from the visits of the collection, or from a log as revisit estimate reads it.',
        arguments: [['[FILE]', 'a log of visits']],
        options: fitOptions,
        more: fitHelp,
        run: (environment, [file], flags) =>
          withPrior(environment, flags, (asked) => fitted(asked, { file, flags })),
      }),
    },
    export: {
      summary: 'write it as JSON',
      command: storeCommand({
        description: 'Write the prior as JSON; with --json, what was written to FILE is printed.',
        arguments: [['[FILE]', 'the file to write; standard output without it, or with -']],
        run: (environment, [file], flags) =>
          withPrior(environment, flags, (asked) => exported(asked, file), { readOnly: true }),
      }),
    },
    import: {
      summary: 'take one that was written as JSON',
      command: storeCommand({
        description: 'Take a prior that was written as JSON, in the place of the one there is.',
        arguments: [['[FILE]', 'the JSON file']],
        run: (environment, [file], flags) =>
          withPrior(environment, flags, (asked) => imported(asked, file)),
      }),
    },
  },
}

async function withPrior(
  environment: Environment,
  flags: CrawlerFlags,
  task: (asked: Asked) => Promise<void>,
  options: { readonly readOnly?: boolean } = {},
): Promise<number> {
  const made = await configured(environment, flags)
  const json = flags.json === true
  await withStore(made, (store) => task({ made, store, json }), options)
  return exitCode.done
}

async function show({ made, store, json }: Asked, group: string | undefined): Promise<void> {
  const prior = await currentPrior(made, store)
  const fittedRates = await currentRates(made, store)
  const { out } = made.environment
  if (json) out.write(jsonText({ ...prior, rates: fittedRates }))
  else {
    out.write(priorText(prior, { out, group }))
    if (fittedRates !== null && group === undefined) out.write(`\n${ratesText(fittedRates)}`)
  }
}

async function exported({ made, store, json }: Asked, file: string | undefined): Promise<void> {
  const { environment } = made
  const prior = await currentPrior(made, store)
  const fittedRates = await currentRates(made, store)
  const text = jsonText({ ...prior, ...(fittedRates === null ? {} : { rates: fittedRates }) })
  if (file === undefined || file === '-') {
    environment.out.write(text)
    return
  }
  await environment.save(file, text)
  const groups = Object.keys(prior.groups).length
  const summary = { file, format: prior.format, groups, bytes: Buffer.byteLength(text) }
  if (json) environment.out.write(jsonText(summary))
}

async function imported(asked: Asked, file: string | undefined): Promise<void> {
  if (file === undefined)
    throw new OptionError('missing-file', 'name the file: revisit prior import prior.json')
  const { chunks } = await asked.made.environment.open(file)
  const text = (await buffer(chunks)).toString('utf8')
  const { prior, fittedRates } = parsed(text, file)
  if (fittedRates !== undefined) await storeRates(asked, fittedRates)
  await keep(asked, prior)
}

/** The default's prior, and that of grimes-ford where the file has one; a file without leaves it as it is. */
function parsed(
  text: string,
  file: string,
): { readonly prior: AutoPrior; readonly fittedRates?: StoredRates } {
  try {
    const { rates: written, ...prior }: AutoPrior & { rates?: Json } = parseAutoPrior(text)
    if (written === undefined || written === null) return { prior }
    const fittedRates = storedRates(written)
    if (fittedRates === null)
      throw new InputError(
        'bad-prior-file',
        'its "rates" cannot be followed; write it anew by revisit prior export',
      )
    return { prior, fittedRates }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}

/** What is stored, or what ships. */
async function currentPrior({ config }: Configured, store: Store): Promise<AutoPrior> {
  const stored = storedPrior(await store.getSetting(config.collection, priorSetting))
  return stored ?? shipped
}

/** What was fitted for grimes-ford; null where nothing was. */
async function currentRates({ config }: Configured, store: Store): Promise<StoredRates | null> {
  return storedRates(await store.getSetting(config.collection, ratePriorSetting))
}

const shipped: AutoPrior = {
  format: 'revisit-auto-prior',
  version: 1,
  how: `shipped with Revisit, learned from ${defaultPrior.pages} recorded histories`,
  whole: defaultPrior,
  groups: {},
}
