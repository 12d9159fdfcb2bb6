import {
  type Bounds,
  type History,
  OptionError,
  type PerSecond,
  type Seconds,
  type UnixSeconds,
} from '../../model/index.js'
import { gammaQuantile } from '../../numeric/index.js'
import { checkLevel } from '../rate/likelihood-bounds.js'
import { type UpdatePoint, updatePoints } from './update-points.js'

/** From the first time up to but not including the second. */
export interface TimeSpan {
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

/** How often a page changed between two dates. */
export interface ChangeRateBetween extends TimeSpan {
  /** Updates over time watched; null where the page was not watched. */
  readonly changeRate: PerSecond | null
  /** Exact bounds for a Poisson count; null where the page was not watched. */
  readonly bounds: Bounds | null
  readonly updates: number
  /** Updates put in the middle of a gap that reaches over an end of the span: in or out by guess. */
  readonly uncertainUpdates: number
  /** Time between the dates that lies within gaps, so that a change in it would have been seen. */
  readonly watched: Seconds
  /** `no-update`: the change rate is 0 and the upper bound is what the data say. */
  readonly verdict: 'ok' | 'no-update' | 'not-watched'
}

/**
 * At what rate did this page change between two dates? Counts the update
 * points there, one for each gap that saw a change, over the time watched, so
 * it is too low where gaps are long beside the change period. Bounds are
 * Garwood's (1936), from the gamma law. O(n).
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
  const points = updatePoints(history).points.filter(({ at }) => at >= from && at < to)
  const watched = watchedTime(history, { from, to })
  const known = watched > 0 && Number.isFinite(points.length / watched)
  return {
    from,
    to,
    changeRate: known ? points.length / watched : null,
    bounds: known ? countBounds({ updates: points.length, watched, level }) : null,
    updates: points.length,
    uncertainUpdates: points.filter((point) => reachesOver(point, { from, to })).length,
    watched,
    verdict: known ? (points.length > 0 ? 'ok' : 'no-update') : 'not-watched',
  }
}

/** Time of the span that lies within a gap between two successful visits. */
export function watchedTime(history: History, { from, to }: TimeSpan): Seconds {
  let total = 0
  for (const { at, gap } of history.observations)
    total += Math.max(0, Math.min(at, to) - Math.max(at - gap, from))
  return total
}

function countBounds(seen: { updates: number; watched: Seconds; level: number }): Bounds {
  const tail = (1 - seen.level) / 2
  const high = gammaQuantile(seen.updates + 1, 1 - tail) / seen.watched
  return {
    low: seen.updates === 0 ? 0 : gammaQuantile(seen.updates, tail) / seen.watched,
    high: Number.isFinite(high) ? high : null,
    level: seen.level,
  }
}

function reachesOver({ kind, after, seenAt }: UpdatePoint, { from, to }: TimeSpan): boolean {
  return kind === 'mid-gap' && (after < from || seenAt > to)
}

function checkedSpan({ from, to }: TimeSpan): TimeSpan {
  if (Number.isFinite(from) && Number.isFinite(to) && from < to) return { from, to }
  throw new OptionError('bad-span', 'give two dates, the first before the second')
}
