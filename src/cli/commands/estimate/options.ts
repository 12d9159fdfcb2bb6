import type { Command } from 'commander'
import { type TimeKind, timeKinds } from '../../../formats/time/log-times.js'
import { type VisitFormat, visitFormats } from '../../../formats/visit-log/read-visits.js'
import { OptionError } from '../../../model/errors.js'
import type { Estimator } from '../../../model/estimate.js'
import type { Seconds, UnixSeconds } from '../../../model/units.js'
import { rateEstimator, rateEstimators } from '../../../planner/registry.js'
import { exitCodeHelp } from '../../environment.js'
import { parseLevel } from '../../text/numbers.js'
import { parseDate, parseNow, parseZone } from '../../text/time.js'

/** The options and the help of `revisit estimate`. */
export function describeEstimate(command: Command): Command {
  return command
    .summary('how often each page of a log changes')
    .description(
      'How often each page of a log of visits changes, with bounds. FILE is CSV, JSON lines,\nCDX, CDXJ (each gzipped or not) or Parquet; without FILE, or with -, the log is piped in.',
    )
    .argument('[FILE]', 'the log of visits')
    .option('-m, --method <name>', 'the estimator (default: irregular-mle)')
    .option('-c, --compare', 'all estimators side by side')
    .option('-l, --level <share>', 'level of the bounds (default: 0.95)')
    .option('-j, --json', 'a JSON array; times in seconds, rates per second')
    .option(
      '-o, --order <by>',
      'url, period (fastest first) or changes; as in the log unless given',
    )
    .option('-n, --top <count>', 'only the first pages')
    .option('-f, --format <name>', 'csv, jsonl, cdx, cdxj or parquet; found from the content')
    .option('-t, --time <kind>', 'how times are written: seconds, milliseconds, iso or cdx')
    .option('-z, --zone <zone>', 'zone of ISO times that name none: utc, or +02:00')
    .option('--now <time>', 'the present, after which nothing was seen (default: the clock)')
    .option(
      '--html <file>',
      'also write a report with figures: one HTML file that needs nothing else',
    )
    .option('--figures <count>', 'how many pages of the report have figures (default: 20)')
    .option('--distribution', 'how old the content is and how long it stays, as distributions')
    .option('--trend', 'whether the page changes faster or slower than it did, and when next')
    .option('--between <dates...>', 'how often it changed from one date to another: two dates')
    .option('--months', 'how often it changed in each month, and in the same month over the years')
    .option('--strict', 'stop at the first bad line')
    .option('--sort', "put each page's visits in order of time; needs more memory")
    .option('--sorted', 'the log is sorted by URL: stream it in constant memory')
    .addHelpText('after', `${methods()}\n${formats}\n${examples}\n${exitCodeHelp}`)
}

function methods(): string {
  const widest = Math.max(...rateEstimators.map(({ name }) => name.length))
  const lines = rateEstimators.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`)
  return `\nMethods:\n${lines.join('\n')}`
}

const formats = `
A CSV has a header and the columns url, at, and changed or digest, in any order;
last_modified is used if it is there, and unchanged_for: the seconds after the visit before
for which the page had not changed, by a list. Other columns are not. changed is true or
false (1 or 0, yes or no) or changed, unchanged, first, failed, gone, refused. A new
digest is a change; an empty one is a failed visit. JSON lines have the same keys.
Times are Unix seconds, milliseconds, or ISO 8601 with its zone. Visits of a page
go forward in time. A line that is none of this is named on stderr, and skipped.

An estimate in brackets stands in for what the visits could not tell (no change seen):
trust its bounds. Where every visit found a change there is no number (null in JSON), only
how long it takes at most; a page seen once has none of its own, only its group's.`

const examples = `
Examples:
  revisit estimate visits.csv
  revisit estimate visits.csv.gz --order period --top 20
  revisit estimate captures.cdx --method posterior --level 0.9
  zcat log.jsonl.gz | revisit estimate --compare
  revisit estimate visits.csv --html report.html
  revisit estimate visits.csv --between 2026-01-01 2026-02-01
  revisit estimate visits.csv --json | jq '.[] | select(.verdict == "ok") | .url'`

/** After the first time, up to and including the second; see `TimeSpan`. */
export interface Span {
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

/** What of each page is shown. */
type View =
  | { readonly kind: 'estimate' | 'distribution' | 'trend' | 'months' }
  | { readonly kind: 'between'; readonly span: Span }

interface ViewFlags {
  readonly distribution?: boolean
  readonly trend?: boolean
  readonly months?: boolean
  /** As many words as followed; the third may be the log. */
  readonly between?: readonly string[]
}

const kinds = ['distribution', 'trend', 'between', 'months'] as const

/** The one view that is asked for; the estimates themselves if none is. */
function viewOf(
  flags: ViewFlags & { readonly compare?: boolean },
  { zone }: { readonly zone: Seconds },
): View {
  const asked = kinds.filter((kind) => flags[kind] !== undefined)
  const all = flags.compare === true ? ['compare', ...asked] : asked
  if (all.length > 1)
    throw new OptionError(
      'options-conflict',
      `${all.map((kind) => `--${kind}`).join(' and ')} do not go together; ask for one at a time`,
    )
  const kind = asked[0]
  if (kind === undefined) return { kind: 'estimate' }
  return kind === 'between' ? { kind, span: spanOf(flags.between!, zone) } : { kind }
}

/** `--between A B FILE`: the option takes all words that follow, the log among them. */
export function fileAfterDates(
  file: string | undefined,
  { between }: ViewFlags,
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
  const date = (i: number) => parseDate(words[i]!, { option: '--between', zone })
  const [from, to] = [date(0), date(1)]
  if (from < to) return { from, to }
  throw new OptionError('bad-span', 'the first date of --between must lie before the second')
}

const orders = ['url', 'period', 'changes'] as const
export type Order = (typeof orders)[number]

/** The options as a person gave them. */
export interface EstimateFlags extends ViewFlags {
  readonly method?: string
  readonly compare?: boolean
  readonly level?: string
  readonly json?: boolean
  readonly order?: string
  readonly top?: string
  readonly format?: string
  readonly time?: string
  readonly zone?: string
  readonly now?: string
  readonly strict?: boolean
  readonly sort?: boolean
  readonly sorted?: boolean
  readonly html?: string
  readonly figures?: string
}

/** The options, checked. */
export interface EstimateSettings {
  readonly estimators: readonly Estimator[]
  readonly compare: boolean
  readonly level: number
  readonly json: boolean
  readonly order: Order | undefined
  readonly top: number
  readonly format: VisitFormat | undefined
  readonly time: TimeKind | undefined
  readonly zone: Seconds | undefined
  readonly now: UnixSeconds
  readonly strict: boolean
  readonly sort: boolean
  readonly sorted: boolean
  readonly view: View
  /** Where to write a report; undefined for none. */
  readonly html: string | undefined
  /** How many pages of the report have figures. */
  readonly figures: number
}

export function estimateSettings(
  flags: EstimateFlags,
  { clock }: { clock: UnixSeconds },
): EstimateSettings {
  refuseTogether(flags, ['sort', 'sorted'])
  refuseTogether(flags, ['order', 'sorted'])
  refuseTogether(flags, ['method', 'compare'])
  const compare = flags.compare === true
  const zone = flags.zone === undefined ? undefined : parseZone(flags.zone)
  return {
    estimators: compare ? rateEstimators : [rateEstimator(flags.method ?? 'irregular-mle')],
    compare,
    level: flags.level === undefined ? 0.95 : parseLevel(flags.level, '--level'),
    json: flags.json === true,
    order: oneOf(orders, flags.order, '--order'),
    top: flags.top === undefined ? Infinity : parseCount(flags.top, '--top'),
    format: oneOf(visitFormats, flags.format, '--format'),
    time: oneOf(timeKinds, flags.time, '--time'),
    zone,
    now: flags.now === undefined ? clock : parseNow(flags.now),
    strict: flags.strict === true,
    sort: flags.sort === true,
    sorted: flags.sorted === true,
    view: viewOf(flags, { zone: zone ?? 0 }),
    html: flags.html,
    figures: flags.figures === undefined ? 20 : parseCount(flags.figures, '--figures'),
  }
}

function oneOf<Name extends string>(
  names: readonly Name[],
  given: string | undefined,
  option: string,
): Name | undefined {
  if (given === undefined) return undefined
  const found = names.find((name) => name === given.toLowerCase())
  if (found !== undefined) return found
  throw new OptionError('bad-option', `${option} takes ${names.join(', ')}; got "${given}"`)
}

function parseCount(text: string, option: '--top' | '--figures'): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new OptionError(
    `bad-${option.slice(2)}`,
    `${option} takes a whole number from 1; got "${text}"`,
  )
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
