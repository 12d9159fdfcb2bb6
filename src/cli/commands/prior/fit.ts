import {
  empiricalRates,
  type FittedReading,
  fitRates,
  fittedReadings,
} from '../../../estimators/prior/fitted-rates.js'
import { shown } from '../../../formats/printable-text.js'
import { InputError, OptionError } from '../../../model/errors.js'
import { historyOf } from '../../../model/history.js'
import type { Store } from '../../../model/store.js'
import type { Json } from '../../../model/units.js'
import { flatClock } from '../../../numeric/week-clock.js'
import { groupOf } from '../../../planner/collection/planners.js'
import { keepPrior } from '../../../planner/collection/scan.js'
import { defaultChangeLaw } from '../../../planner/prior/default-prior.js'
import { fitAutoPrior, type PriorPage } from '../../../planner/prior/fit-prior.js'
import { type AutoPrior, periodLaw } from '../../../planner/prior/prior.js'
import {
  fitMethods,
  ratePriorSetting,
  ratesToStore,
  type StoredRates,
} from '../../../planner/prior/stored-rates.js'
import { engineLogFlags, withEngineLog } from '../../bulk/engine-log.js'
import type { FlagsOf, OptionLine } from '../../command.js'
import type { Configured } from '../../configured.js'
import { listed } from '../../page-selection.js'
import { answer } from '../../text/json.js'
import { count, counted, oneOf, parseSize } from '../../text/numbers.js'
import { gatheredVisits, logOptions, logSettings } from '../../visit-log.js'
import { ratesText } from './rates-text.js'

/** The visits of an even sample of the pages of many Parquet files. */
function sampledVisits(
  made: Configured,
  asked: {
    readonly file: string
    readonly flags: FlagsOf<typeof fitOptions>
    readonly sample: number
  },
): ReturnType<typeof gatheredVisits> {
  const { file, flags, sample } = asked
  const { environment, crawler } = made
  return withEngineLog(
    environment,
    {
      patterns: [file],
      settings: { ...logSettings(flags), now: crawler.clock.now() },
      engine: { memory: flags.memory, threads: undefined, spill: undefined },
      pages: { sample },
    },
    (log) => gatheredVisits(made, { file: log.file, flags: engineLogFlags }),
  )
}

/** The options of `revisit prior fit`. */
export const fitOptions = [
  ...logOptions,
  [
    '-m, --method <name>',
    `${fitMethods.join(', ')}; see below (default: em)`,
    oneOf(...fitMethods),
  ],
  [
    '--reading <name>',
    'the pair that pseudo-gaps follows: log-period (default) or rate',
    oneOf(...fittedReadings),
  ],
  [
    '--changes <count>',
    'a page counts for pseudo-gaps and empirical once so many changes were seen (default: 25)',
    count(1),
  ],
  [
    '--sample <count>',
    'an even sample of so many pages, taken by DuckDB from many Parquet files',
    count(1),
  ],
  ['--memory <size>', 'of DuckDB, such as 2GB (default: half of the machine)', parseSize],
] as const satisfies readonly OptionLine[]

export const fitHelp = `Methods:
  em           masses of a hundred laws of change, hours of the week and groups, for the default policy; and two pseudo-gaps from them for grimes-ford
  pseudo-gaps  Grimes & Ford 4.4: two pseudo-gaps, by annealing, that stand for the law of the pages' change periods
  empirical    Grimes & Ford 4.2 and 4.3: that law itself, with the first gap that is best for it

pseudo-gaps and empirical are for the policy grimes-ford, and for revisit estimate and sampling with --prior fitted. What is fitted last is followed.

Examples:
  revisit prior fit
  revisit prior fit visits.csv.gz
  revisit prior fit visits.csv --method pseudo-gaps --changes 5
  revisit prior fit 'logs/*.parquet' --sample 100000`

/** What a task about priors works with. */
export interface Asked {
  readonly made: Configured
  readonly store: Store
  readonly json: boolean
}

interface FitAsked {
  readonly file: string | undefined
  readonly flags: FlagsOf<typeof fitOptions>
}

/** From the visits of the store, or of a log. */
export async function fitted(asked: Asked, { file, flags }: FitAsked): Promise<void> {
  const { method = 'em', reading, changes = 25 } = flags
  if (reading !== undefined && method !== 'pseudo-gaps')
    throw new OptionError('options-conflict', '--reading goes with --method pseudo-gaps')
  if (flags.changes !== undefined && method === 'em')
    throw new OptionError(
      'options-conflict',
      '--changes goes with --method pseudo-gaps or empirical; em uses every page',
    )
  const { made, store } = asked
  const pages =
    file === undefined ? await storedPages(made, store) : await loggedPages(made, { file, flags })
  if (pages.length === 0)
    throw new InputError('no-history', 'no page was seen twice, so there is nothing to learn from')
  const source = file === undefined ? `collection "${made.config.collection}"` : shown(file)
  if (method === 'em') return keepLearned(asked, { pages, source })
  const use = method === 'empirical' ? 'law' : (reading ?? 'log-period')
  return keepRates(asked, { pages, source, use, changes })
}

/** The default's prior, and what grimes-ford makes of it. */
async function keepLearned(
  asked: Asked,
  { pages, source }: { pages: readonly PriorPage[]; source: string },
): Promise<void> {
  const observations = pages.reduce((sum, { history }) => sum + history.observations.length, 0)
  const how = `learned by EM from ${counted(pages.length, 'page')} of ${source}, ${counted(observations, 'comparison')}`
  // Masses lean on the shipped ones a little; a rhythm that the visits do not show is not taken from there.
  const towards = { ...defaultChangeLaw, clock: flatClock }
  const prior = fitAutoPrior(pages, { how, towards, shipped: true })
  await keep(asked, prior)
  const from = `the ${pages.length} of ${source}`
  const about = { method: 'em', how, from, pages: pages.length, unfinished: 0 } as const
  const fittedRates = ratesToStore(fitRates(periodLaw(prior.whole)), {
    ...about,
    use: 'log-period',
  })
  await storeRates(asked, fittedRates)
}

/** Grimes & Ford's own ways. */
async function keepRates(
  asked: Asked,
  about: {
    readonly pages: readonly PriorPage[]
    readonly source: string
    readonly use: FittedReading | 'law'
    readonly changes: number
  },
): Promise<void> {
  const { source, use, changes } = about
  const histories = about.pages.map(({ history }) => history)
  const { law, pages, unfinished } = empiricalRates(histories, { changes })
  const fittedRates = ratesToStore(fitRates(law), {
    method: use === 'law' ? 'empirical' : 'pseudo-gaps',
    how: `from ${counted(pages, 'page')} of ${source} with ${changes} changes or more`,
    from: `the ${pages} of ${source}`,
    pages,
    unfinished,
    use,
  })
  await storeRates(asked, fittedRates)
  const { made, json } = asked
  const { collection } = made.config
  answer(made.environment, {
    json,
    record: fittedRates,
    text: `${ratesText(fittedRates)}\nThe policy grimes-ford of collection "${collection}" now begins from this.\n`,
  })
}

/** Stores what grimes-ford begins from. */
export async function storeRates({ made, store }: Asked, fitted: StoredRates): Promise<void> {
  await store.putSetting(made.config.collection, ratePriorSetting, fitted as unknown as Json)
}

/** Pages and visits of each that are learned from: some seconds' work. */
const mostPages = 4_000
const mostVisits = 200

async function storedPages(made: Configured, store: Store): Promise<PriorPage[]> {
  const { collection } = made.config
  const stride = Math.max(1, Math.ceil((await store.countPages({ collection })) / mostPages))
  const pages: PriorPage[] = []
  let met = 0
  for await (const page of listed(store, { filter: { collection } })) {
    if (page.visits < 2 || met++ % stride !== 0) continue
    const history = historyOf(await store.visitsOf(page, { newest: mostVisits }))
    if (history !== null && history.observations.length > 0)
      pages.push({ group: groupOf(page), history })
  }
  return pages
}

/** The pages of a log of visits, as `revisit import` reads it; grouped by host. */
async function loggedPages(
  made: Configured,
  { file, flags }: { readonly file: string; readonly flags: FlagsOf<typeof fitOptions> },
): Promise<PriorPage[]> {
  const { gathered } = await (flags.sample === undefined
    ? gatheredVisits(made, { file, flags })
    : sampledVisits(made, { file, flags, sample: flags.sample }))
  return [...gathered.pages()].flatMap(({ url, visits }) => {
    const history = historyOf(distinct(visits))
    const group = new URL(url).host
    return history === null || history.observations.length === 0 ? [] : [{ group, history }]
  })
}

/** Two visits at the same time: which came first cannot be known, so one of them is left out. */
function distinct<T extends { readonly at: number }>(visits: readonly T[]): T[] {
  return visits.filter((visit, i) => i === 0 || visit.at > visits[i - 1]!.at)
}

/** Stores the default's prior in the place of the one there is. */
export async function keep({ made, store, json }: Asked, prior: AutoPrior): Promise<void> {
  const { environment, config } = made
  const { collection } = config
  // With the comparisons of now: otherwise the next run would learn its own at once, in the place of this one.
  await keepPrior({ store, collection }, { prior, comparisons: await comparisons(store, config) })
  const text = `the prior of collection "${config.collection}" is now one ${prior.how}; ${counted(Object.keys(prior.groups).length, 'group')} of its own\n`
  answer(environment, { json, record: prior, text })
}

async function comparisons(store: Store, { collection }: Configured['config']): Promise<number> {
  let total = 0
  for await (const { visits } of listed(store, { filter: { collection } }))
    total += Math.max(0, visits - 1)
  return total
}
