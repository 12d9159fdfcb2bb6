import type { History } from '../../model/history.js'
import { DAY, HOUR, type Seconds, type UnixSeconds, WEEK } from '../../model/units.js'
import { updatePoints } from './update-points.js'

/** 168 hours, from Monday 00:00 UTC. */
export interface HoursOfWeek {
  /** Changes in each hour. One whose time is not reported is shared out evenly over its gap. */
  readonly changes: Float64Array
  /** Hours watched: within a gap between two successful visits. */
  readonly watched: Float64Array
  /** How many of the changes were reported to the second, so that their hour is known. */
  readonly dated: number
}

/** 1970-01-01 was a Thursday. */
const firstMonday: UnixSeconds = 4 * DAY
const hours = WEEK / HOUR

/**
 * When in the week a page changes, beside how long it was watched then. Visits
 * a day apart without Last-Modified cannot tell the hour, and the shares come
 * out even. O(168 n).
 */
export function hoursOfWeek(history: History): HoursOfWeek {
  const changes = new Float64Array(hours)
  const watched = new Float64Array(hours)
  const { points } = updatePoints(history)
  for (const { at, kind, after, seenAt } of points) {
    if (kind === 'last-modified') changes[hourOf(at)]! += 1
    else spread(changes, { from: after, to: seenAt, amount: 1 })
  }
  for (const { at, gap } of history.observations)
    spread(watched, { from: at - gap, to: at, amount: gap / HOUR })
  return { changes, watched, dated: points.filter(({ kind }) => kind === 'last-modified').length }
}

function hourOf(at: UnixSeconds): number {
  const hour = Math.floor((at - firstMonday) / HOUR) % hours
  return hour < 0 ? hour + hours : hour
}

/** Shares an amount out over the hours of a span: whole weeks evenly, the rest hour by hour. */
function spread(
  into: Float64Array,
  { from, to, amount }: { from: UnixSeconds; to: UnixSeconds; amount: number },
): void {
  const length: Seconds = to - from
  if (!(length > 0)) {
    into[hourOf(to)]! += amount
    return
  }
  const weeks = Math.floor(length / WEEK)
  const weekShare = ((weeks * WEEK) / length) * amount
  for (let hour = 0; hour < hours; hour++) into[hour]! += weekShare / hours
  const rest = from + weeks * WEEK
  let at = rest
  for (let step = 0; step <= hours && at < to; step++) {
    const next = Math.min(to, (Math.floor(at / HOUR) + 1) * HOUR)
    into[hourOf(at)]! += (Math.max(0, next - at) / length) * amount
    // Far from 1970 an hour is less than a double can tell apart.
    if (!(next > at)) return
    at = next
  }
}
