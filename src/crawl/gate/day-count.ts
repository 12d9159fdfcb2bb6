import { DAY, type DayCount, type UnixSeconds } from '../../model/index.js'
import { dayOf } from './politeness.js'

export type { DayCount }

export const noRequests: DayCount = { day: 0, requests: 0 }

/** The count with one request more. A clock that was set back does not reopen a day. */
export function counted(count: DayCount, now: UnixSeconds): DayCount {
  const day = Math.max(dayOf(now), count.day)
  return day === count.day ? { day, requests: count.requests + 1 } : { day, requests: 1 }
}

/** Both counts together, of the later day. */
export function bothCounts(one: DayCount, other: DayCount): DayCount {
  if (one.day !== other.day) return one.day > other.day ? one : other
  return { day: one.day, requests: one.requests + other.requests }
}

/** When a budget allows the next request: now, or the next day. */
export function withinBudget(
  count: DayCount,
  { now, budget }: { readonly now: UnixSeconds; readonly budget: number | null },
): UnixSeconds {
  if (budget === null) return now
  const day = Math.max(dayOf(now), count.day)
  const used = day === count.day ? count.requests : 0
  return used < budget ? now : (day + 1) * DAY
}
