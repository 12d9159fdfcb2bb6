import {
  cheapestGap,
  type ObservedKind,
  samplingError,
  visitsNeeded,
} from '../../../estimators/rate/sampling-plan.js'
import { humanDuration } from '../../../model/duration.js'
import { OptionError } from '../../../model/errors.js'
import type { Seconds } from '../../../model/units.js'
import { normalQuantile } from '../../../numeric/special-functions.js'
import { priorOptions } from '../../asked-prior.js'
import { type FlagsOf, plainCommand } from '../../command.js'
import { exitCode, exitCodeHelp, type TextOutput } from '../../environment.js'
import { jsonText } from '../../text/json.js'
import { parseLevel, parseRelativeError } from '../../text/numbers.js'
import { columns, tableText } from '../../text/table.js'
import { positiveDuration } from '../../text/time.js'
import { writeFirstGap } from './first-gap.js'

const options = [
  ['-p, --period <duration>', 'the change period you expect: 10d, 36h, 2w, 5min', positiveDuration],
  ['-e, --error <percent>', 'the error you allow, such as 20%', parseRelativeError],
  ['--every <duration>', 'one gap between visits only', positiveDuration],
  [
    '--for <duration>',
    'sample no longer than this; without --error, just as long',
    positiveDuration,
  ],
  ['--last-modified', 'visits tell the age of the content, not only whether it changed'],
  [
    '-l, --level <share>',
    'the share of estimates within the error (default: one sd, 0.68)',
    parseLevel,
  ],
  [
    '--prior <prior>',
    'instead: the best first gap of new pages by a prior: fitted (by revisit prior fit), pseudo:69h/13h, or empirical (the law of FILE)',
  ],
  ...priorOptions,
  ['-j, --json', 'JSON, durations in seconds'],
] as const

type SamplingFlags = FlagsOf<typeof options>

/** `revisit sampling`: how long and how often to sample. */
export const samplingCommand = plainCommand({
  description:
    'How long and how often a page must be sampled for its change period to be known within an error, from the known variance of the estimators.',
  arguments: [['[FILE]', 'a log of visits, with --prior empirical']],
  options,
  more: `Seen as changed or unchanged (the irregular MLE), the relative error is sqrt((e^x - 1) / n) / x for n gaps of x change periods: the limit for many visits. From content ages (the mean content age) it is exact.

Examples:
  revisit sampling --period 10d --error 20%
  revisit sampling --period 10d --error 20% --for 90d
  revisit sampling --period 3d --every 24h --for 120d --last-modified
  revisit sampling --prior empirical visits.csv
${exitCodeHelp}`,
  async run(environment, [file], flags) {
    const { out } = environment
    if (flags.prior !== undefined) {
      refuseBeside(flags)
      await writeFirstGap(environment, { file, flags })
      return exitCode.done
    }
    const settings = samplingSettings(flags)
    const rows = samplingRows(settings)
    const best = bestRow(rows, settings)
    const { changePeriod, observed, level = null } = settings
    if (settings.json)
      out.write(jsonText({ changePeriod, observed, level, rows, best: best ?? null }))
    else writeSampling(out, { settings, rows, best })
    return exitCode.done
  },
})

/** A first gap is for pages of which nothing is known. */
function refuseBeside({ period, error, every, lastModified, level }: SamplingFlags): void {
  if ([period, error, every, lastModified, level].every((each) => each === undefined)) return
  throw new OptionError(
    'options-conflict',
    '--prior is about pages of which nothing is known; leave out --period, --error, --every, --last-modified and --level',
  )
}

/** One way to sample. */
interface SamplingRow {
  readonly gap: Seconds
  /** Null where no number of visits is enough. */
  readonly visits: number | null
  readonly duration: Seconds | null
  /** Relative error of the change period; null where nothing would be known. */
  readonly error: number | null
  /** Whether it keeps both --error and --for. */
  readonly enough: boolean
}

/** Gaps to choose from, in change periods; the fifth needs the fewest visits where only changes are seen. */
const gapShares = [0.1, 0.2, 0.5, 1, cheapestGap, 2, 3, 5]

/** The ways to sample at several gaps, or at the one asked for. */
function samplingRows(settings: SamplingSettings): SamplingRow[] {
  const { changePeriod, gap } = settings
  const gaps = gap === undefined ? gapShares.map((share) => share * changePeriod) : [gap]
  return gaps.map((each) => samplingRow(each, settings))
}

/**
 * The row to recommend of those that are enough: the fewest visits for the
 * error asked for, or the least error where only the time is given. Undefined
 * if none is enough.
 */
function bestRow(
  rows: readonly SamplingRow[],
  { error }: SamplingSettings,
): SamplingRow | undefined {
  const enough = rows.filter((row) => row.enough)
  const cost = (row: SamplingRow) => (error === undefined ? row.error! : row.visits!)
  return enough.sort((a, b) => cost(a) - cost(b) || a.gap - b.gap)[0]
}

function samplingRow(gap: Seconds, settings: SamplingSettings): SamplingRow {
  const { changePeriod, observed, duration: longest = Infinity } = settings
  const spread = settings.level === undefined ? 1 : normalQuantile((1 + settings.level) / 2)
  const visits =
    settings.error === undefined
      ? Math.floor(longest / gap) + 1
      : visitsNeeded({ changePeriod, gap, error: settings.error / spread }, observed)
  if (visits === null) return { gap, visits, duration: null, error: null, enough: false }
  const one = samplingError({ changePeriod, gap, visits }, observed)
  const duration = (visits - 1) * gap
  const error = one === null ? null : one * spread
  return { gap, visits, duration, error, enough: error !== null && duration <= longest }
}

/** The options, checked. */
interface SamplingSettings {
  readonly changePeriod: Seconds
  /** Undefined: the error is what is asked for. */
  readonly error: number | undefined
  readonly gap: Seconds | undefined
  readonly duration: Seconds | undefined
  readonly observed: ObservedKind
  /** Undefined: the error is one standard deviation. */
  readonly level: number | undefined
  readonly json: boolean
}

function samplingSettings(flags: SamplingFlags): SamplingSettings {
  if (flags.period === undefined)
    throw new OptionError('no-period', 'say how often the page may change, as in --period 10d')
  if (flags.error === undefined && flags.for === undefined)
    throw new OptionError(
      'no-error',
      'say how well you want to know it (--error 20%) or how long you can sample (--for 60d)',
    )
  return {
    changePeriod: flags.period,
    error: flags.error,
    gap: flags.every,
    duration: flags.for,
    observed: flags.lastModified === true ? 'content-ages' : 'changes',
    level: flags.level,
    json: flags.json === true,
  }
}

interface Findings {
  readonly settings: SamplingSettings
  readonly rows: readonly SamplingRow[]
  readonly best: SamplingRow | undefined
}

/** The question, the ways to sample as a table, and the one to choose. */
function writeSampling(out: TextOutput, findings: Findings): void {
  out.write(`${question(findings.settings)}\n\n`)
  writeTable(out, findings)
  out.write(`\n${answer(findings)}\n`)
}

function question({ changePeriod, error, observed, level }: SamplingSettings): string {
  const period = humanDuration(changePeriod)
  const comparison =
    observed === 'changes' ? 'whether the page changed' : "the content's age (Last-Modified)"
  const goal =
    error === undefined
      ? `How well a change period of ${period} can be known`
      : `To know a change period of ${period} within ${roughPercent(error)}`
  const sense =
    level === undefined
      ? 'one standard deviation: two of three estimates are nearer'
      : `${roughPercent(level)} of estimates are nearer`
  return `${goal}, each visit telling ${comparison}\n(error: ${sense}):`
}

function writeTable(out: TextOutput, { rows, best, settings }: Findings): void {
  const praise = settings.error === undefined ? 'most exact' : 'cheapest'
  const cells = rows.map((row) => [
    humanDuration(row.gap),
    row.visits === null ? '-' : String(row.visits),
    row.duration === null ? '-' : humanDuration(row.duration),
    row.error === null ? '-' : roughPercent(row.error),
    !row.enough ? 'not enough' : row === best && rows.length > 1 ? praise : '',
  ])
  const titles = columns('visit every', '>visits', 'for', '>error', '')
  out.write(tableText({ columns: titles, rows: cells }))
}

function answer({ rows, best, settings }: Findings): string {
  if (best !== undefined) {
    const way = `${best.visits} visits, one every ${humanDuration(best.gap)}, over ${humanDuration(best.duration ?? 0)}`
    if (rows.length === 1) return `${way}: ${roughPercent(best.error ?? 0)}.`
    return `${settings.error === undefined ? 'Most exact' : 'Cheapest'}: ${way}.`
  }
  const shortest = Math.min(...rows.flatMap((row) => row.duration ?? []))
  return settings.duration !== undefined && shortest < Infinity
    ? `${humanDuration(settings.duration)} is too short: at these gaps it takes ${humanDuration(shortest)} or more. Allow more time (--for) or a larger error (--error).`
    : 'No number of visits is enough: nearly every one would see a change. Visit more often (--every).'
}

/** An error may be far beyond all. */
function roughPercent(share: number): string {
  const value = 100 * share
  if (value >= 1e6) return `${value.toExponential(1)}%`
  return `${Number(value.toPrecision(value < 10 ? 2 : 3))}%`
}
