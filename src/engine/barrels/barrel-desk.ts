import type { Lease, LeaseRequest, PageRecord, Store } from '../../model/index.js'
import { type Barrel, barrelOf, barrels } from '../../schedule/barrels.js'
import { declaredIn } from '../hints/heard-hints.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import { storeSeen } from '../store-seen.js'

export const barrelNames = Object.keys(barrels) as Barrel[]

/** Leases that may wait for their crawlers, as a multiple of what one asks for. */
const waiting = 4

/** The barrel that a page is in, by the change that it declares. */
export function barrelOfPage({ hints }: Pick<PageRecord, 'hints'>): Barrel {
  return barrelOf(declaredIn(pageHintsFrom(hints)))
}

/**
 * Deals pages that are due out to the crawlers of their barrels. The store
 * leases by host, whatever the barrel, so that politeness stays whole; what a
 * crawler is given that is another's waits here for that one.
 *
 * Hattab, Figure 4-a.
 */
export class BarrelDesk {
  readonly #store: Store
  readonly #queues = new Map<Barrel, Lease[]>(barrelNames.map((name) => [name, []]))

  constructor(store: Store) {
    this.#store = store
  }

  /** The store as the crawler of one barrel sees it: nothing but its pages is ever due. */
  storeOf(barrel: Barrel): Store {
    return storeSeen(this.#store, {
      leaseDue: (request) => this.#lease(barrel, request),
      nextDue: (request) => this.#nextDue(barrel, request),
    })
  }

  /** Gives back what waits here. */
  async release(): Promise<void> {
    const left = [...this.#queues.values()].flatMap((queue) => queue.splice(0))
    if (left.length > 0) await this.#store.releaseLeases(left)
  }

  async #lease(barrel: Barrel, request: LeaseRequest): Promise<readonly Lease[]> {
    const waited = this.#take(barrel, request)
    if (waited.length > 0 || this.#isFull(request)) return waited
    for (const lease of await this.#store.leaseDue(request))
      this.#queues.get(barrelOfPage(lease.page))!.push(lease)
    return this.#take(barrel, request)
  }

  /** A lease that ran out while it waited is another's by now, or due again. */
  #take(barrel: Barrel, { limit, now }: LeaseRequest): Lease[] {
    const queue = this.#queues.get(barrel)!
    return queue.splice(0, limit).filter(({ expiresAt }) => expiresAt > now)
  }

  #isFull({ limit }: { readonly limit: number }): boolean {
    const all = [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0)
    return all >= waiting * Math.max(1, limit)
  }

  async #nextDue(barrel: Barrel, request: Parameters<Store['nextDue']>[0]) {
    if (this.#queues.get(barrel)!.length > 0) return request.now
    return this.#store.nextDue(request)
  }
}
