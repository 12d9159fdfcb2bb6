import { DAY, type UnixSeconds, WEEK } from '../../model/index.js'

/** A page's past as its publisher knows it: when it changed, and since when that is known. */
export interface ChangeRecord {
  readonly since: UnixSeconds
  /** In order of time. */
  readonly changes: readonly UnixSeconds[]
}

/** Weeks begin on Monday, 0:00 UTC; 1970 began on a Thursday. */
const firstMonday: UnixSeconds = 4 * DAY

/** The start of the week a time is in. */
export function weekStart(at: UnixSeconds): UnixSeconds {
  return firstMonday + Math.floor((at - firstMonday) / WEEK) * WEEK
}

/**
 * Days with a change in each of the last whole weeks before `now`, the oldest
 * first; null where the record does not reach back so far. A day counts once,
 * as for Hattab, who looks once a day. Weeks are those of the calendar, so that
 * the counts, and the tag made of them, stay the same until the week is over.
 *
 * Hattab, section 4, step 1.
 */
export function weeklyCounts(
  { since, changes }: ChangeRecord,
  { now, weeks }: { readonly now: UnixSeconds; readonly weeks: number },
): number[] | null {
  const end = weekStart(now)
  const from = end - weeks * WEEK
  if (since > from) return null
  const days = new Set<number>()
  for (const at of changes) if (at >= from && at < end) days.add(Math.floor((at - from) / DAY))
  const counts = new Array<number>(weeks).fill(0)
  for (const day of days) counts[Math.floor(day / 7)]!++
  return counts
}
