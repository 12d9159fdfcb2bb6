import {
  changeSetting,
  DAY,
  HOUR,
  type Json,
  type Store,
  type UnixSeconds,
} from '../../model/index.js'
import {
  CollectionStatistics,
  isApart,
  type Ledger,
  ledgerFrom,
  nextLedger,
  priceIn,
} from '../../planner/index.js'
import type { Objective, PlanPage } from '../../schedule/index.js'
import type { CollectionBudget } from './collection-budget.js'
import type { Look } from './look.js'
import type { PlanSample } from './plan-sample.js'

/** Where the store keeps the price and its ledger. */
export const ledgerSetting = 'auto-steering'

export interface PriceParts {
  readonly store: Store
  readonly collection: string
}

/** What a request costs in a collection, and the ledger that sets it; stored, so that it survives restarts. */
export class PriceKeeper {
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

  /** Whether it is time to set it again: never set, a day has passed, or the budget or the pages changed. */
  async isDue(now: UnixSeconds): Promise<boolean> {
    const before = this.#ledger
    if (before === null || now - before.at >= DAY || now < before.at - HOUR) return true
    return this.#isMoved(before)
  }

  /** Whether the next scan sets it for another budget, or another number of pages. */
  async #isMoved(before: Ledger): Promise<boolean> {
    const { store, collection } = this.#parts
    const pages = await store.countPages({ collection })
    const requests = this.#budget.requestsFor(pages)
    return isApart(requests, before.requestsPerDay) || isApart(pages, before.pages)
  }

  /** What a request will cost, by objective, once the pages of now are counted; worked out where that may be another price. */
  async expected(
    now: UnixSeconds,
    sampled: () => Promise<PlanSample>,
  ): Promise<(objective: Objective) => number> {
    const asNow = (objective: Objective) => this.priceFor(objective)
    const { inForce } = this.#budget
    const before = this.#ledger
    if (inForce === null || (before !== null && !(await this.#isMoved(before)))) return asNow
    const { pages: sample, of, promises } = await sampled()
    const requestsPerDay = this.#budget.requestsFor(of)
    if (!(requestsPerDay > 0) || promises.followers === 0) return asNow
    const { followers: pages, free, pages: promised } = promises
    const reserved = promises.requestsPerDay / DAY
    const statistics = Object.assign(new CollectionStatistics(), {
      pages,
      free,
      promised,
      reserved,
    })
    const following = sample.filter(({ ownGap }) => ownGap === null)
    const ledger = nextLedger(null, { statistics, requestsPerDay, now, sample: following })
    return (objective) => priceIn(ledger, objective)
  }

  /** Sets the price by a look at all pages; `anew` forgives what was owed. */
  async steer(
    look: Look,
    about: { now: UnixSeconds; anew: boolean; sample: readonly PlanPage[] },
  ): Promise<void> {
    const { store, collection } = this.#parts
    const { now, anew, sample } = about
    const { statistics } = look
    const requestsPerDay = this.#budget.requestsFor(look.pages)
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
