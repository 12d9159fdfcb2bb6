import type { Store } from '../../model/index.js'
import {
  type Budget,
  budgetSetting,
  chosenRequests,
  keptBudget,
  requestsOf,
} from './kept-budget.js'

export interface BudgetParts {
  readonly store: Store
  readonly collection: string
  /** As it is configured; one that was set while the collection ran comes before it. */
  readonly budget: Budget
  /** Requests a day that are never exceeded, whatever the budget; none unless said. */
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

  /** Reads it anew: another process on the same store may have been told of another. */
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
