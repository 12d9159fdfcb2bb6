import { requestsOf, type Steward } from '../../engine/index.js'
import type { Clock } from '../../model/index.js'

/**
 * Takes other budgets while the collection runs. The budget is stored before
 * the answer; price and due times follow in the background, and a budget that
 * comes meanwhile is settled once, after the one under way.
 */
export class BudgetDesk {
  readonly #steward: Steward
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  readonly #end = new AbortController()
  #wanted = false
  #settling: Promise<void> | null = null

  constructor(parts: {
    readonly steward: Steward
    readonly clock: Clock
    readonly failed: (error: unknown) => void
  }) {
    this.#steward = parts.steward
    this.#clock = parts.clock
    this.#failed = parts.failed
  }

  /** Whether due times are being moved. */
  get settling(): boolean {
    return this.#settling !== null
  }

  async change(requestsPerDay: number | null): Promise<void> {
    await this.#steward.changeBudget(requestsPerDay)
    this.#wanted = true
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = null
    })
  }

  /** The budget that the configuration asks for, in requests a day. */
  configured(pages: number): number | null {
    const { configuredBudget, mostPerDay } = this.#steward
    return requestsOf(configuredBudget, { pages, most: mostPerDay })
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#settling
  }

  async #settle(): Promise<void> {
    const { signal } = this.#end
    while (this.#wanted && !signal.aborted) {
      this.#wanted = false
      await this.#steward.settle({ now: this.#clock.now(), signal }).catch(this.#failed)
    }
  }
}
