import type { PseudoGaps } from '../../../estimators/rate/irregular-mle.js'
import { trendEstimators } from '../../../estimators/trend/trend-estimators.js'
import type { TrendOptions } from '../../../estimators/trend/trend-of.js'
import { OptionError } from '../../../model/errors.js'
import type { Estimator } from '../../../model/estimate.js'
import type { History } from '../../../model/history.js'
import type { Seconds, UnixSeconds } from '../../../model/units.js'
import { rateEstimator, rateEstimators } from '../../../planner/registry.js'
import { priorOptions } from '../../asked-prior.js'
import type { FlagsOf } from '../../command.js'
import { exitCodeHelp } from '../../environment.js'
import { kindsHelp } from '../../text/kind-list.js'
import { count, oneOf, parseLevel } from '../../text/numbers.js'
import { parseDate, parseNow } from '../../text/time.js'
import { type LogSettings, logOptions, logSettings } from '../../visit-log.js'
import { bulkOptions } from './bulk-options.js'
import {
  distributionChoices,
  distributionOptions,
  lawMethods,
  methodNames,
} from './distribution-options.js'
import type { DistributionChoice } from './page-distribution.js'
import { trendChoice, trendOptions } from './trend-options.js'

const orders = ['url', 'period', 'changes'] as const

/** The options of `revisit estimate`. */
export const estimateOptions = [
  ['-m, --method <name>', 'the estimator (default: irregular-mle)'],
  ['-c, --compare', 'all estimators side by side'],
  [
    '--prior <prior>',
    'begin irregular-mle or posterior from fitted (by revisit prior fit), pseudo:69h/13h (a changed and an unchanged pseudo-gap), or empirical (the law of this log)',
  ],
  ...priorOptions,
  ['-l, --level <share>', 'level of the bounds (default: 0.95)', parseLevel],
  ['-j, --json', 'a JSON array; times in seconds, rates per second'],
  [
    '-o, --order <by>',
    'url, period (fastest first) or changes; as in the log unless given',
    oneOf(...orders),
  ],
  ['-n, --top <count>', 'only the first pages', count(1)],
  ...logOptions,
  ['--now <time>', 'the present, after which nothing was seen (default: the clock)', parseNow],
  ['--csv <file>', 'also write what is shown as CSV; times in seconds, rates per second'],
  ['--html <file>', 'also write a report with figures: one HTML file that needs nothing else'],
  ['--figures <count>', 'how many pages of the report have figures (default: 20)', count(1)],
  ...distributionOptions,
  ...trendOptions,
  ['--between <dates...>', 'how often it changed from one date to another: two dates'],
  ['--months', 'how often it changed in each month, and in the same month over the years'],
  ['--strict', 'stop at the first bad line'],
  ['--sort', "put each page's visits in order of time; needs more memory"],
  ['--sorted', 'the log is sorted by URL: stream it in constant memory'],
  ...bulkOptions,
] as const

export type EstimateFlags = FlagsOf<typeof estimateOptions>

const methods = kindsHelp('Methods (revisit estimators says where each is from):', rateEstimators)

const formats = `A CSV has a header and the columns url, at, and changed or digest, in any order; last_modified is used if it is there, and unchanged_for: the seconds after the visit before for which the page had not changed, by a list. Other columns are not. changed is true or false (1 or 0, yes or no) or changed, unchanged, first, failed, gone, refused. A new digest is a change; an empty one is a failed visit. JSON lines have the same keys. Times are Unix seconds, milliseconds, or ISO 8601 with its zone. Visits of a page go forward in time. A line that is none of this is named on stderr, and skipped.

An estimate in brackets stands in for what the visits could not tell (no change seen): trust its bounds. Where every visit found a change there is no number (null in JSON), only how long it takes at most; a page seen once has none of its own, only its group's.`

const examples = `Examples:
  revisit estimate visits.csv
  revisit estimate visits.csv.gz --order period --top 20
  revisit estimate captures.cdx --method posterior --level 0.9
  zcat log.jsonl.gz | revisit estimate --compare
  revisit estimate visits.csv --prior pseudo:69h/13h
  revisit estimate visits.csv --html report.html
  revisit estimate visits.csv --distribution --method m2,m6,five-point
  revisit estimate visits.csv --staleness 1h,1d,1w
  revisit estimate visits.csv --trend --estimator duane --alpha 0.8
  revisit estimate 'logs/*.parquet' --memory 2GB --output rates.parquet
  revisit estimate visits.csv --between 2026-01-01 2026-02-01
  revisit estimate visits.csv --json | jq '.[] | select(.verdict == "ok") | .url'`

/** What stands below the options in its help. */
export const estimateHelp = [
  methods,
  kindsHelp('Methods of --distribution and --staleness:', lawMethods),
  kindsHelp('Estimators of --trend (corrected-lambda is weibull-printed-check):', trendEstimators),
  formats,
  `${examples}\n${exitCodeHelp}`,
].join('\n\n')

/** After the first time, up to and including the second; see `TimeSpan`. */
export interface Span {
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

/** What of each page is shown. */
type View =
  | { readonly kind: 'estimate' | 'distribution' | 'trend' | 'months' }
  | { readonly kind: 'between'; readonly span: Span }
  | { readonly kind: 'staleness'; readonly gaps: readonly Seconds[] }

const kinds = ['distribution', 'staleness', 'trend', 'between', 'months'] as const

/** The one view that is asked for; the estimates themselves if none is. */
function viewOf(flags: EstimateFlags, { zone }: { readonly zone: Seconds }): View {
  const asked = kinds.filter((kind) => flags[kind] !== undefined)
  // Every estimator of a trend can be compared too.
  const compared = flags.compare === true && asked[0] !== 'trend'
  const all = compared ? ['compare', ...asked] : asked
  if (all.length > 1)
    throw new OptionError(
      'options-conflict',
      `${all.map((kind) => `--${kind}`).join(' and ')} do not go together; ask for one at a time`,
    )
  const kind = asked[0]
  if (kind === undefined) return { kind: 'estimate' }
  if (kind === 'staleness') return { kind, gaps: flags.staleness! }
  return kind === 'between' ? { kind, span: spanOf(flags.between!, zone) } : { kind }
}

/** `--between A B FILE`: the option takes all words that follow, the log among them. */
export function fileAfterDates(
  file: string | undefined,
  { between }: EstimateFlags,
): string | undefined {
  if (between === undefined || between.length < 3) return file
  if (between.length === 3 && file === undefined) return between[2]
  throw new OptionError('bad-span', `--between takes two dates; got ${between.join(' ')}`)
}

function spanOf(words: readonly string[], zone: Seconds): Span {
  if (words.length < 2)
    throw new OptionError(
      'bad-span',
      '--between takes two dates, such as --between 2026-01-01 2026-02-01',
    )
  const date = (i: number) => parseDate(words[i]!, '--between', zone)
  const [from, to] = [date(0), date(1)]
  if (from < to) return { from, to }
  throw new OptionError('bad-span', 'the first date of --between must lie before the second')
}

export type Order = (typeof orders)[number]

/** The options, checked. */
export interface EstimateSettings extends LogSettings {
  readonly estimators: readonly Estimator[]
  readonly compare: boolean
  readonly level: number
  readonly json: boolean
  readonly order: Order | undefined
  readonly top: number
  readonly now: UnixSeconds
  readonly strict: boolean
  readonly sort: boolean
  readonly sorted: boolean
  readonly view: View
  /** By which methods distributions are shown; one at least. */
  readonly distributions: readonly DistributionChoice[]
  /** How trends are found. */
  readonly trend: TrendOptions
  /** Where to write what is shown as CSV; undefined for nowhere. */
  readonly csv: string | undefined
  /** Where to write a report; undefined for none. */
  readonly html: string | undefined
  /** How many pages of the report have figures. */
  readonly figures: number
  /** The pseudo-gaps of --prior, where it comes to such. */
  readonly pseudoGaps?: PseudoGaps | undefined
  /** Takes the pages of the log before the first estimate, where the prior is theirs. */
  readonly fitPrior?: (histories: Iterable<History>) => void
}

export function estimateSettings(
  flags: EstimateFlags,
  { clock }: { clock: UnixSeconds },
): EstimateSettings {
  refuseTogether(flags, ['sort', 'sorted'])
  refuseTogether(flags, ['order', 'sorted'])
  refuseTogether(flags, ['method', 'compare'])
  const { compare = false, level = 0.95, top = Infinity, now = clock, figures = 20 } = flags
  const { json = false, order, strict = false, sort = false, sorted = false, csv, html } = flags
  const log = logSettings(flags)
  const names = methodNames(flags)
  return {
    estimators:
      compare && flags.trend !== true
        ? rateEstimators
        : [rateEstimator(names.estimator ?? 'irregular-mle')],
    compare,
    level,
    json,
    order,
    top,
    ...log,
    now,
    strict,
    sort,
    sorted,
    view: viewOf(flags, { zone: log.zone ?? 0 }),
    distributions: distributionChoices(flags, names),
    trend: trendChoice(flags, { level }),
    csv,
    html,
    figures,
  }
}

function refuseTogether(
  flags: EstimateFlags,
  [one, other]: readonly [keyof EstimateFlags, keyof EstimateFlags],
): void {
  if (flags[one] === undefined || flags[other] === undefined) return
  throw new OptionError(
    'options-conflict',
    `--${one} and --${other} do not go together; ${why[one]}`,
  )
}

const why: Partial<Record<keyof EstimateFlags, string>> = {
  sort: 'leave out --sorted to sort in memory, or --sort for a log that is sorted already',
  order: 'pages come out as they end; leave out --sorted to put them in order',
  method: '--compare shows every method; leave out one of them',
}
