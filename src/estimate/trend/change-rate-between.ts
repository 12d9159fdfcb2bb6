import {
  type Bounds,
  type History,
  OptionError,
  type PerSecond,
  type Seconds,
  splitCalm,
  type UnixSeconds,
} from '../../model/index.js'
import { mostLikelyRate, type Traces } from '../rate/likelihood.js'
import { checkLevel, likelihoodBounds } from '../rate/likelihood-bounds.js'
import { finite } from './power-law.js'
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
export function watchedTime(history: History, { from, to }: TimeSpan): Seconds {
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
  for (const { at, gap } of splitCalm(history).observations) {
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
