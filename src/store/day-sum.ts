import type { DayCount, Json } from '../model/index.js'

/**
 * A stored count with more requests of some process. A clock that was set back
 * does not reopen a day, and what is given back of an earlier day is no longer
 * asked for.
 */
export function daySum(kept: Json | undefined, more: DayCount): DayCount {
  const { day, requests } = (kept ?? { day: 0, requests: 0 }) as unknown as DayCount
  if (more.day > day) return { day: more.day, requests: Math.max(0, more.requests) }
  const added = more.day === day ? more.requests : Math.max(0, more.requests)
  return { day, requests: Math.max(0, requests + added) }
}
