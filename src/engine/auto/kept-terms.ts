import type { Json, Store } from '../../model/index.js'

/** Where the store keeps what all pages were last planned by. */
export const termsSetting = 'plan-terms'

/**
 * What is said for all pages of a collection: policy, limits and hours, as text. Where
 * they are others than at the last run, what is planned is out of date.
 */
export class KeptTerms {
  readonly #store: Store
  readonly #collection: string
  readonly #terms: string | null

  constructor(parts: {
    readonly store: Store
    readonly collection: string
    readonly terms?: string
  }) {
    this.#store = parts.store
    this.#collection = parts.collection
    this.#terms = parts.terms ?? null
  }

  /**
   * Does the work where they are others than they were, and keeps them then.
   * Where none were kept yet, by what it was planned is not known, and it stays.
   */
  async settle(work: () => Promise<void>): Promise<void> {
    const kept = await this.#kept()
    if (this.#terms === null || kept === this.#terms) return
    if (kept !== undefined) await work()
    // Where another process has kept others meanwhile, theirs are what was last planned by.
    await this.#store.swapSetting(this.#collection, termsSetting, { from: kept, to: this.#terms })
  }

  #kept(): Promise<Json | undefined> {
    return this.#store.getSetting(this.#collection, termsSetting)
  }
}
