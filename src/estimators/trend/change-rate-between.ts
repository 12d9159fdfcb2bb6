import { OptionError } from '../../model/errors.js'
import type { Bounds } from '../../model/estimate.js'
import { type History, splitUnchanged } from '../../model/history.js'
import type { PerSecond, Seconds, UnixSeconds } from '../../model/units.js'
import { checkLevel, likelihoodBounds, mostLikelyRate, type Traces } from '../rate/likelihood.js'
import { finite } from './trend-curve.js'
import { type UpdatePoint, updatePoints } from './update-points.js'

/**
 * After the first time, up to and including the second. Gaps are so too: a
 * change in the very second of a visit belongs to the gap before it, and so
 * to the span that this gap lies in.
 */
export interface TimeSpan {
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

/** How often a page changed between two dates. */
export interface ChangeRateBetween extends TimeSpan {
  /** Most likely for the gaps between the dates; null where not watched, or every gap saw a change. */
  readonly changeRate: PerSecond | null
  /** Null where the page was not watched. */
  readonly bounds: Bounds | null
  /** Changes seen: one for each gap that saw any, so at most as many as there were. */
  readonly updates: number
  /** Updates put in the middle of a gap that reaches over an end of the span: in or out by guess. */
  readonly uncertainUpdates: number
  /** Time between the dates that lies within gaps, so that a change in it would have been seen. */
  readonly watched: Seconds
  /**
   * `no-update`: the change rate is 0 and the upper bound is what the data say;
   * `always-changed`: it has no number, and the lower bound is what they say.
   */
  readonly verdict: 'ok' | 'no-update' | 'always-changed' | 'not-watched'
}

/**
 * At what rate did this page change between two dates? The likelihood of the
 * gaps between them, as in `irregularMle`, each cut at the dates: a gap may hide
 * several changes, so counting updates over the time watched would be too low
 * where gaps are long beside the change period. A gap that reaches over a date
 * counts as changed on the side of its update point. Without an update the upper
 * bound is Garwood's (1936), which is exact. O(n).
 *
 * Singh 2007, section 1: "At what rate was a Web page updated during the month
 * of January last year?"
 */
export function changeRateBetween(
  history: History,
  options: TimeSpan & { readonly level?: number },
): ChangeRateBetween {
  const { from, to } = checkedSpan(options)
  const level = checkLevel(options.level)
  const points = updatePoints(history).points.filter(({ at }) => at > from && at <= to)
  const traces = tracesWithin(history, { from, to, points })
  const watched = watchedTime(history, { from, to })
  return {
    from,
    to,
    ...estimateOf(traces, { level, watched }),
    updates: points.length,
    uncertainUpdates: points.filter((point) => reachesOver(point, { from, to })).length,
    watched,
  }
}

/** Time of the span that lies within a gap between two successful visits. */
function watchedTime(history: History, { from, to }: TimeSpan): Seconds {
  let total = 0
  for (const { at, gap } of history.observations)
    total += Math.max(0, Math.min(at, to) - Math.max(at - gap, from))
  return total
}

/** The gaps between the dates, changed where one of the points lies in them. */
function tracesWithin(
  history: History,
  { from, to, points }: TimeSpan & { points: readonly UpdatePoint[] },
): Traces {
  const seen = new Set(points.map(({ seenAt }) => seenAt))
  const hidden: number[] = []
  let exposure = 0
  for (const { at, gap } of splitUnchanged(history).observations) {
    const within = Math.max(0, Math.min(at, to) - Math.max(at - gap, from))
    if (within > 0 && seen.has(at)) hidden.push(within)
    else exposure += within
  }
  return { events: 0, exposure, hidden: Float64Array.from(hidden) }
}

function estimateOf(
  traces: Traces,
  { level, watched }: { level: number; watched: Seconds },
): Pick<ChangeRateBetween, 'changeRate' | 'bounds' | 'verdict'> {
  const updates = traces.hidden.length
  if (!(watched > 0 && Number.isFinite((updates + 1) / watched)))
    return { changeRate: null, bounds: null, verdict: 'not-watched' }
  if (updates === 0) {
    const high = finite(-Math.log((1 - level) / 2) / watched)
    return { changeRate: 0, bounds: { low: 0, high, level }, verdict: 'no-update' }
  }
  const bounds = likelihoodBounds(traces, { level })
  const changeRate = finite(mostLikelyRate(traces))
  return { changeRate, bounds, verdict: changeRate === null ? 'always-changed' : 'ok' }
}

function reachesOver({ kind, after, seenAt }: UpdatePoint, { from, to }: TimeSpan): boolean {
  return kind === 'mid-gap' && (after < from || seenAt > to)
}

function checkedSpan({ from, to }: TimeSpan): TimeSpan {
  if (Number.isFinite(from) && Number.isFinite(to) && from < to) return { from, to }
  throw new OptionError('bad-span', 'give two dates, the first before the second')
}

/** One calendar month: January is 1. */
export interface CalendarMonth extends TimeSpan {
  readonly year: number
  readonly month: number
}

export type MonthChangeRate = CalendarMonth & ChangeRateBetween

export interface MonthOptions {
  readonly level?: number
  /** Where midnight lies: seconds by which local time is ahead of UTC. Default 0. */
  readonly utcOffset?: Seconds
}

/** The calendar months that a span of time touches, in order. */
export function calendarMonths(
  { from, to }: TimeSpan,
  { utcOffset = 0 }: Pick<MonthOptions, 'utcOffset'> = {},
): CalendarMonth[] {
  const first = new Date((from + utcOffset) * 1000)
  const last = new Date((to + utcOffset) * 1000)
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime()))
    throw new OptionError('bad-span', 'these times lie outside the calendar (Unix seconds?)')
  const count = 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() + 1
  const months: CalendarMonth[] = []
  for (let i = first.getUTCMonth(); i < count; i++) {
    const year = first.getUTCFullYear() + Math.floor(i / 12)
    const month = (i % 12) + 1
    const start = (m: number) => monthStart({ year, month: m }) - utcOffset
    months.push({ year, month, from: start(month), to: start(month + 1) })
  }
  return months.filter((month) => month.from < to || month.from === from)
}

/** The change rate of every calendar month that was watched at all. O(months x n). */
export function changeRateByMonth(history: History, options: MonthOptions = {}): MonthChangeRate[] {
  const { start, observations } = history
  const until = observations.at(-1)?.at ?? start.at
  return calendarMonths({ from: start.at, to: until }, options)
    .map((month) => ({
      ...month,
      ...changeRateBetween(history, { ...month, level: options.level ?? 0.95 }),
    }))
    .filter((month) => month.verdict !== 'not-watched')
}

/** Years below 100 are years, not 19xx; a month of 13 is the next January. */
function monthStart({ year, month }: { year: number; month: number }): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, 1)
  return date.getTime() / 1000
}
