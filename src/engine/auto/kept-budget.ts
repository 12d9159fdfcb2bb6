import type { Json } from '../../model/index.js'

/** Requests a day of a whole collection, or a page and day; null where a request costs six hours of freshness, however many there are. */
export type Budget = { readonly perDay: number } | { readonly perPage: number } | null

/** Where the store keeps a budget that was set while the collection ran. */
export const budgetSetting = 'auto-budget'

/**
 * A budget that was set while the collection ran, as it is stored. It holds as
 * long as the configuration says what it said then: the newer word counts.
 */
export function keptBudget(requestsPerDay: number | null, configured: Budget): Json {
  return requestsPerDay === null ? null : { requestsPerDay, instead: written(configured) }
}

/** The requests a day that were set, where they still hold; null where the configuration counts. */
export function chosenRequests(stored: Json | undefined, configured: Budget): number | null {
  if (stored === undefined || stored === null || typeof stored !== 'object') return null
  const { requestsPerDay, instead } = stored as { requestsPerDay?: Json; instead?: Json }
  if (typeof requestsPerDay !== 'number' || !(requestsPerDay > 0)) return null
  return instead === written(configured) ? requestsPerDay : null
}

/** The budget in force: the one that was set, else the configuration's. */
export function budgetInForce(stored: Json | undefined, configured: Budget): Budget {
  const chosen = chosenRequests(stored, configured)
  return chosen === null ? configured : { perDay: chosen }
}

/** Requests a day for so many pages, within what must never be exceeded; null where there is no budget. */
export function requestsOf(
  budget: Budget,
  { pages, most = null }: { readonly pages: number; readonly most?: number | null | undefined },
): number | null {
  if (budget === null) return null
  const wanted = 'perDay' in budget ? budget.perDay : budget.perPage * pages
  return Math.min(most ?? Infinity, wanted)
}

function written(budget: Budget): string {
  if (budget === null) return 'none'
  return 'perDay' in budget ? `${budget.perDay}` : `${budget.perPage}/page`
}
