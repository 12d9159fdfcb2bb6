import { believedPeriod, estimatedPeriod } from '../engine/index.js'
import type { PageRecord, Seconds, Store } from '../model/index.js'
import type { ServiceParts } from './service-parts.js'

/** Estimates that are remembered; each takes milliseconds, and the dashboard asks every few seconds. */
const most = 50_000
/** In passing, an estimate is good until a page has an eighth more visits: so all have their turn. */
const goodFor = 1.125

/** Estimates that may still be made. */
export interface Allowance {
  left: number
}

interface Remembered {
  /** Of the page when it was estimated: another visit makes it out of date. */
  readonly visits: number
  readonly period: Seconds | null
}

/**
 * The change periods of pages as the command line tells them (`toldPeriod`),
 * with estimates remembered until the page is visited again.
 */
export class ToldPeriods {
  readonly #store: Store
  readonly #known = new Map<string, Remembered>()

  private constructor(store: Store) {
    this.#store = store
  }

  static readonly #ofStores = new WeakMap<Store, ToldPeriods>()

  /** One for all routes of a store, so that none estimates what another has. */
  static of(store: Store): ToldPeriods {
    const known = ToldPeriods.#ofStores.get(store) ?? new ToldPeriods(store)
    ToldPeriods.#ofStores.set(store, known)
    return known
  }

  async period(
    page: PageRecord,
    { mindFor }: Pick<ServiceParts, 'mindFor'>,
  ): Promise<Seconds | null> {
    return believedPeriod(mindFor(page), page) ?? (await this.#estimated(page))
  }

  /**
   * The same, for who goes through many pages: an estimate may be a few visits
   * old, and is made only as long as the allowance lasts. Null for pages whose
   * turn has not come yet.
   */
  async inPassing(
    page: PageRecord,
    { mindFor, allowance }: Pick<ServiceParts, 'mindFor'> & { readonly allowance: Allowance },
  ): Promise<Seconds | null> {
    const believed = believedPeriod(mindFor(page), page)
    if (believed !== null || page.visits < 2) return believed
    const known = this.#known.get(page.id)
    const good = known !== undefined && page.visits <= goodFor * known.visits
    if (good || allowance.left <= 0) return known?.period ?? null
    allowance.left--
    return this.#estimated(page)
  }

  async #estimated(page: PageRecord): Promise<Seconds | null> {
    const known = this.#known.get(page.id)
    if (known?.visits === page.visits) return known.period
    const period = await estimatedPeriod(this.#store, page)
    this.#known.delete(page.id)
    this.#known.set(page.id, { visits: page.visits, period })
    if (this.#known.size > most) this.#known.delete(this.#known.keys().next().value!)
    return period
  }
}
