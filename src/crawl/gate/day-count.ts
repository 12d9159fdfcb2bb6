import { DAY, type UnixSeconds } from '../../model/index.js'
import { dayOf } from './politeness.js'

/** Requests made on one day: a plain record, so that a budget survives a restart. */
export interface DayCount {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly requests: number
}

export const noRequests: DayCount = { day: 0, requests: 0 }

/** The count with one request more. A clock that was set back does not reopen a day. */
export function counted(count: DayCount, now: UnixSeconds): DayCount {
  const day = Math.max(dayOf(now), count.day)
  return day === count.day ? { day, requests: count.requests + 1 } : { day, requests: 1 }
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
