import type { PageRecord, UnixSeconds } from '../../model/index.js'
import { freshAtGap, type Listed, type Stretch } from '../../schedule/index.js'

const DAY = 86_400
/** In seconds, by a policy of a page's own; one that is due at once is not visited all the time. */
export const shortestOwnGap = 1
/** The same by the default, which waits longer: a shorter one is a call that passes. */
const shortestGap = 60

/** A page as a census meets it. */
export interface Counted {
  readonly page: PageRecord
  /** What the default believes of it; null where the page has a policy of its own. */
  readonly belief: Float64Array | null
  readonly clock: Stretch['clock']
  /** A list that tells of its changes; left out or null where there is none. */
  readonly listed?: Listed | null
  /** Chance that a list is right that says it has changed since it was seen; left out or 0 where none says so. */
  readonly news?: number
  /** What a fresh copy is worth: the page's importance unless said. */
  readonly importance?: number
  readonly now: UnixSeconds
}

/**
 * How a collection stands: the visits made and those that others plan, and how
 * fresh that should leave the copies.
 * A page is added in microseconds; nothing of it is kept.
 */
export class Census {
  /** Pages that follow the default. */
  pages = 0
  /** Visits a second of pages that it does not plan. */
  plannedByOthers = 0
  /** All attempts, first ones left out, with the share of the running gaps that has passed. */
  spent = 0
  /** Comparisons there have been. */
  comparisons = 0
  #fresh = 0
  #weight = 0

  add(counted: Counted): void {
    const { page, belief, now } = counted
    const { lastSeen, due, visits } = page
    const gap = runningGap(page)
    this.spent += Math.max(0, visits - 1)
    this.comparisons += Math.max(0, visits - 1)
    if (belief === null || isOutOfReach(page)) {
      this.plannedByOthers += retryRate(page)
      return
    }
    this.pages++
    if (gap === null || lastSeen === null || due.at === 'never') return
    // Pages that began at once would seem to spend nothing until all are due.
    const share = Math.min(1, Math.max(0, (now - lastSeen) / gap))
    this.spent += visits > 1 ? share - 0.5 : share
    const { importance = page.importance, clock, listed = null, news = 0 } = counted
    // Looks meet a page that waits, or is known to have changed, as often as that lasts.
    this.#fresh +=
      importance * (1 - news) * freshAtGap({ belief, at: lastSeen, clock, listed }, gap)
    this.#weight += importance
  }

  /** Share of copies that should be fresh, weighted by importance; null before any was made. */
  get freshness(): number | null {
    return this.#weight > 0 ? this.#fresh / this.#weight : null
  }
}

/** A page that fails, is refused or is gone comes back by rules of its own, whatever its policy. */
export function isOutOfReach({ failing, gone }: PageRecord): boolean {
  return failing > 0 || gone > 0
}

/** Visits a second of a page that the default does not plan. */
function retryRate({ lastVisit, due }: PageRecord): number {
  if (lastVisit === null || due.at === 'never') return 0
  return 1 / Math.max(shortestOwnGap, due.at - lastVisit.at)
}

/** The gap that a page is in; null where no visit is planned or none was made. */
export function runningGap(
  { lastSeen, due }: PageRecord,
  { shortest = shortestGap }: { readonly shortest?: number } = {},
): number | null {
  if (lastSeen === null || due.at === 'never') return null
  return Math.max(shortest, Math.min(400 * DAY, due.at - lastSeen))
}
