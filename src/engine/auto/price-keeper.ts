import { DAY, HOUR, type Json, type Store, type UnixSeconds } from '../../model/index.js'
import { isApart, type Ledger, ledgerFrom, nextLedger, priceIn } from '../../planner/index.js'
import type { Objective, PlanPage } from '../../schedule/index.js'
import type { CollectionBudget } from './collection-budget.js'
import type { Look } from './look.js'

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
    const { store, collection } = this.#parts
    const pages = await store.countPages({ collection })
    const requests = this.#budget.requestsFor(pages)
    return isApart(requests, before.requestsPerDay) || isApart(pages, before.pages)
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
    const before =
      anew && this.#ledger !== null ? { ...this.#ledger, requestsPerDay: 0 } : this.#ledger
    this.#ledger = nextLedger(before, { statistics, requestsPerDay, now, sample })
    await store.putSetting(collection, ledgerSetting, this.#ledger as unknown as Json)
  }
}
