import { changeSetting, type Store } from '../../model/store.js'
import { DAY, HOUR, type Json, type UnixSeconds } from '../../model/units.js'
import {
  isApart,
  type Ledger,
  ledgerFrom,
  nextLedger,
  priceIn,
} from '../budget/budget-controller.js'
import type { PlanSample } from '../budget/plan-sample.js'
import type { Objective } from '../value/objective.js'
import type { PlanPage } from '../value/planned-page.js'
import type { CollectionStatistics } from './statistics.js'

/** Requests a day of a whole collection, or a page and day; null where a request costs six hours of freshness, however many there are. */
export type Budget = { readonly perDay: number } | { readonly perPage: number } | null

/** Where the store keeps a budget that was set while the collection ran. */
export const budgetSetting = 'auto-budget'

/**
 * A budget that was set while the collection ran, as it is stored. It holds as
 * long as the configuration says what it said then: the newer word counts.
 */
function keptBudget(requestsPerDay: number | null, configured: Budget): Json {
  return requestsPerDay === null ? null : { requestsPerDay, instead: written(configured) }
}

/** The requests a day that were set, where they still hold; null where the configuration counts. */
function chosenRequests(stored: Json | undefined, configured: Budget): number | null {
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

export interface BudgetParts {
  readonly store: Store
  readonly collection: string
  /** As it is configured; one that was set while the collection ran comes before it. */
  readonly budget: Budget
  /** Requests a day that are never exceeded, whatever the budget; none by default. */
  readonly mostPerDay?: number | null
}

/** The budget of a collection: as configured, or as it was set while the collection ran. */
export class CollectionBudget {
  readonly #parts: BudgetParts
  /** Requests a day that were set while the collection ran, where they hold. */
  #chosen: number | null = null

  constructor(parts: BudgetParts) {
    this.#parts = parts
  }

  get inForce(): Budget {
    return this.#chosen === null ? this.#parts.budget : { perDay: this.#chosen }
  }

  get configured(): Budget {
    return this.#parts.budget
  }

  /** Requests a day that are never exceeded; null where no limit is set. */
  get mostPerDay(): number | null {
    return this.#parts.mostPerDay ?? null
  }

  /** Reads it anew: another process on the same store may have been given another. */
  async read(): Promise<void> {
    const { store, collection, budget } = this.#parts
    this.#chosen = chosenRequests(await store.getSetting(collection, budgetSetting), budget)
  }

  /** Another from now on, also after a restart; null goes back to the configured one. */
  async change(requestsPerDay: number | null): Promise<void> {
    const { store, collection, budget } = this.#parts
    await store.putSetting(collection, budgetSetting, keptBudget(requestsPerDay, budget))
    this.#chosen = requestsPerDay
  }

  /** Requests a day for so many pages; 0 where there is no budget. */
  requestsFor(pages: number): number {
    return requestsOf(this.inForce, { pages, most: this.mostPerDay }) ?? 0
  }
}

/** Where the store keeps the price and its ledger; the name as stores of 0.1 have it. */
export const ledgerSetting = 'auto-steering'

/** The last scan of all pages, whichever process made it. */
export interface LastScan {
  readonly at: UnixSeconds
  readonly pages: number
  /** By the budget then; 0 where there was none. */
  readonly requestsPerDay: number
  /** Share of copies that are predicted to be fresh; null where nothing is known. */
  readonly predicted: number | null
}

interface PriceParts {
  readonly store: Store
  readonly collection: string
}

/** What a request costs in a collection, and the ledger that sets it; stored, so that it survives restarts. */
export class PriceController {
  readonly #parts: PriceParts
  readonly #budget: CollectionBudget
  #ledger: Ledger | null = null

  constructor(parts: PriceParts, budget: CollectionBudget) {
    this.#parts = parts
    this.#budget = budget
  }

  async read(): Promise<void> {
    const { store, collection } = this.#parts
    this.#ledger = ledgerFrom(await store.getSetting(collection, ledgerSetting))
  }

  /** For pages with an objective, in its unit. */
  priceFor(objective: Objective): number {
    return priceIn(this.#budget.inForce === null ? null : this.#ledger, objective)
  }

  get ledger(): Ledger | null {
    return this.#ledger
  }

  /** Requests a day for so many pages; 0 where there is no budget. */
  requestsFor(pages: number): number {
    return this.#budget.requestsFor(pages)
  }

  /** Whether it is time to set it again: never set, a day has passed, or the budget or the pages changed. */
  async isDue(now: UnixSeconds, scan: LastScan | null): Promise<boolean> {
    const before = this.#ledger
    // Without a budget, or a page, a scan sets no price.
    const last = before ?? scan
    if (last === null || now - last.at >= DAY || now < last.at - HOUR) return true
    if (before !== null) return this.#isMoved(before, scan)
    const { store, collection } = this.#parts
    const pages = await store.countPages({ collection })
    const requests = this.#budget.requestsFor(pages)
    const were = scan?.requestsPerDay ?? 0
    return isApart(requests + 1, were + 1) || isApart(pages + 1, last.pages + 1)
  }

  /**
   * Whether the next scan sets it for another budget, or another number of
   * pages. All pages are held against all that the last scan met: its ledger
   * leaves out those that are gone, failing or of policies of their own.
   */
  async #isMoved(before: Ledger, scan: LastScan | null): Promise<boolean> {
    const { store, collection } = this.#parts
    const pages = await store.countPages({ collection })
    const requests = this.#budget.requestsFor(pages)
    return isApart(requests, before.requestsPerDay) || isApart(pages, scan?.pages ?? before.pages)
  }

  /** What a request will cost, by objective, once the pages of now are counted; worked out where that may be another price. */
  async expected(
    now: UnixSeconds,
    scan: LastScan | null,
    sampled: () => Promise<PlanSample>,
  ): Promise<(objective: Objective) => number> {
    const asNow = (objective: Objective) => this.priceFor(objective)
    const { inForce } = this.#budget
    const before = this.#ledger
    if (inForce === null || (before !== null && !(await this.#isMoved(before, scan)))) return asNow
    const { pages: sample, of, promises } = await sampled()
    const requestsPerDay = this.#budget.requestsFor(of)
    if (!(requestsPerDay > 0) || promises.followers === 0) return asNow
    const { followers: pages, free, pages: guaranteed } = promises
    const reserved = promises.requestsPerDay / DAY
    const statistics = { pages, free, guaranteed, reserved, planned: 0, spent: 0 }
    const following = sample.filter(({ ownGap }) => ownGap === null)
    const ledger = nextLedger(null, { statistics, requestsPerDay, now, sample: following })
    return (objective) => priceIn(ledger, objective)
  }

  /** Sets the price by a scan of all pages; `anew` forgives what was owed. */
  async setPrice(
    scan: { readonly pages: number; readonly statistics: CollectionStatistics },
    about: { now: UnixSeconds; anew: boolean; sample: readonly PlanPage[] },
  ): Promise<void> {
    const { store, collection } = this.#parts
    const { now, anew, sample } = about
    const { statistics } = scan
    const requestsPerDay = this.#budget.requestsFor(scan.pages)
    if (this.#budget.inForce === null || !(requestsPerDay > 0) || statistics.pages === 0) return
    const ours = this.#ledger
    await changeSetting(store, { collection, name: ledgerSetting }, (stored) => {
      const kept = ledgerFrom(stored) ?? ours
      // Another process has set it since we read it: two steps at once would overshoot.
      const isTheirs = !anew && kept !== null && ours !== null && kept.at > ours.at
      const before = anew && kept !== null ? { ...kept, requestsPerDay: 0 } : kept
      this.#ledger = isTheirs
        ? kept
        : nextLedger(before, { statistics, requestsPerDay, now, sample })
      return isTheirs ? undefined : (this.#ledger as unknown as Json)
    })
  }
}
