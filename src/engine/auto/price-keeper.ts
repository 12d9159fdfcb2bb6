import { DAY, HOUR, type Json, type Store, type UnixSeconds } from '../../model/index.js'
import type { Objective, PlanPage } from '../../schedule/index.js'
import type { CollectionBudget } from './collection-budget.js'
import type { Look } from './look.js'
import { type Steering, steered, steeringOf, usualPrice } from './steering.js'

/** Where the store keeps the price and its ledger. */
export const steeringSetting = 'auto-steering'

export interface PriceParts {
  readonly store: Store
  readonly collection: string
  readonly objective?: Objective
}

/** What a request costs in a collection, and the ledger that sets it; stored, so that it survives restarts. */
export class PriceKeeper {
  readonly #parts: PriceParts
  readonly #budget: CollectionBudget
  #steering: Steering | null = null

  constructor(parts: PriceParts, budget: CollectionBudget) {
    this.#parts = parts
    this.#budget = budget
  }

  async read(): Promise<void> {
    const { store, collection } = this.#parts
    this.#steering = steeringOf(await store.getSetting(collection, steeringSetting))
  }

  get price(): number {
    return this.#budget.inForce === null ? usualPrice : (this.#steering?.price ?? usualPrice)
  }

  get steering(): Steering | null {
    return this.#steering
  }

  /** Whether it is time to set it again: never set, a day has passed, or the budget or the pages changed. */
  async isDue(now: UnixSeconds): Promise<boolean> {
    const before = this.#steering
    if (before === null || now - before.at >= DAY || now < before.at - HOUR) return true
    const { store, collection } = this.#parts
    const pages = await store.countPages({ collection })
    const requests = this.#budget.requestsFor(pages)
    return apart(requests, before.requestsPerDay) || apart(pages, before.pages)
  }

  /** Sets the price by a look at all pages; `anew` forgives what was owed. */
  async steer(
    look: Look,
    about: { now: UnixSeconds; anew: boolean; sample: readonly PlanPage[] },
  ): Promise<void> {
    const { store, collection, objective = 'freshness' } = this.#parts
    const { now, anew, sample } = about
    const { census } = look
    const requestsPerDay = this.#budget.requestsFor(look.pages)
    if (this.#budget.inForce === null || !(requestsPerDay > 0) || census.pages === 0) return
    const before =
      anew && this.#steering !== null ? { ...this.#steering, requestsPerDay: 0 } : this.#steering
    this.#steering = steered(before, { census, requestsPerDay, now, sample, objective })
    await store.putSetting(collection, steeringSetting, this.#steering as unknown as Json)
  }
}

function apart(one: number, other: number): boolean {
  return !(one / other < 1.25 && other / one < 1.25)
}
