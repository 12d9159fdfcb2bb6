import { DAY, succeeded, type UnixSeconds, type VisitRecord } from '../../model/index.js'
import type { ChangeRecord } from '../tag/weekly-counts.js'

/** Visits further apart leave a week of which nothing is known. */
const longestGap = 8 * DAY

/**
 * A page's past as its visits saw it, back to the last stretch without visits;
 * null where it was never seen, or not in the last week. Several changes
 * between two visits count once: visits less often than daily count too few.
 */
export function visitsPast(
  visits: readonly VisitRecord[],
  { now }: { readonly now: UnixSeconds },
): ChangeRecord | null {
  let since: UnixSeconds | null = null
  let last = -Infinity
  const changes: UnixSeconds[] = []
  for (const { at, outcome, gap, contentAge } of visits) {
    if (!succeeded(outcome)) continue
    if (since === null || at - last > longestGap) since = at
    else if (outcome === 'changed')
      changes.push(contentAge !== null && contentAge < (gap ?? 0) ? at - contentAge : at)
    last = at
  }
  return since === null || now - last > longestGap ? null : { since, changes }
}
