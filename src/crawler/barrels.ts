import { declaredIn } from '../hints/weighed-hints.js'
import type { Lease, LeaseRequest } from '../model/lease.js'
import type { PageRecord, Validators } from '../model/page.js'
import type { Store } from '../model/store.js'
import { pageHintsFrom } from '../model/stored-hints.js'
import type { Planner } from '../planner/step.js'
import { type Barrel, barrelOf, barrelPolicy, barrels } from '../policies/barrels.js'
import type { VisitSession } from '../visit/session.js'
import type { SessionParts } from '../visit/session-parts.js'
import { storeSeen } from './chosen-pages.js'
import type { CycleSettings, RunOptions } from './lease-batches.js'
import { BudgetRest, Cycle } from './loop.js'

/** Every page by the barrel that it is in, whatever else was chosen for it. */
export const barrelPlanner: Planner = { policy: barrelPolicy(), learner: null }

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
export class BarrelService {
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

/**
 * The paper's crawler, live: pages in barrels by the change that they declare,
 * one crawler for each barrel, each page asked for with If-Modified-Since, the
 * declared change kept in the store and read anew from each page.
 *
 * Hattab, Figure 4.
 */
export class BarrelCycles {
  readonly #barrels: BarrelService
  readonly #cycles: readonly Cycle[]

  constructor(parts: SessionParts, settings: CycleSettings) {
    const each = { ...parts, plannerFor: () => barrelPlanner, validatorsFor: sinceLastCrawl }
    const concurrency = Math.ceil((settings.concurrency ?? 16) / barrelNames.length)
    this.#barrels = new BarrelService(parts.store)
    // What one learns of the budget holds for all: pages are due still that none of them may visit.
    const budgetRest = new BudgetRest(parts.clock)
    this.#cycles = barrelNames.map((name) => {
      const own = { ...each, store: this.#barrels.storeOf(name) }
      return new Cycle(own, { ...settings, concurrency }, budgetRest)
    })
  }

  /** Of the first crawler: clients' visits are planned alike for all barrels. */
  get session(): VisitSession {
    return this.#cycles[0]!.session
  }

  /** How many visits are under way, of all barrels. */
  get underWay(): number {
    return this.#cycles.reduce((sum, { underWay }) => sum + underWay, 0)
  }

  /** Runs all crawlers; if one breaks down, the others finish what is under way. */
  async run(options: RunOptions = {}): Promise<void> {
    const stop = new AbortController()
    const signals = [stop.signal, ...(options.signal === undefined ? [] : [options.signal])]
    const signal = AbortSignal.any(signals)
    const runs = this.#cycles.map((cycle) =>
      cycle.run({ ...options, signal }).catch((error: unknown) => {
        stop.abort()
        throw error
      }),
    )
    const ended = await Promise.allSettled(runs)
    await this.#barrels.release()
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
}

/**
 * What to ask with: the server's own marks, and where it gave no date the time
 * of our last visit, as the paper's `If-modified-since (last-crawl-date)`.
 */
function sinceLastCrawl({ validators, lastSeen }: PageRecord): Validators {
  if (validators.lastModified !== undefined || lastSeen === null) return validators
  return { ...validators, lastModified: new Date(Math.floor(lastSeen) * 1000).toUTCString() }
}
