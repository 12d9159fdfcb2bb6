import type { Lease, LeaseRef, LeaseRequest, NextDueRequest } from '../model/lease.js'
import type { PageChange, PageFilter, PageRecord, PageRef } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'

/** The store as one loop is to see it: some of its answers are others, the rest are its own. */
export function storeSeen(store: Store, own: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** How soon a host is asked for again whose pages others hold: nobody tells when they are done. */
const askAgain: Seconds = 1

/**
 * Pages to be visited now, whatever their due time, for a loop that ends once
 * nothing is due: of the store that it sees nothing but these is ever due, each
 * until it was visited, or was put off for itself. Hosts are leased from as
 * ever, so that politeness stays whole.
 */
export class ChosenPages {
  /** What the loop is to see. */
  readonly seen: Store
  /** Those that wait for themselves, by id. */
  readonly deferred = new Set<string>()
  readonly #store: Store
  readonly #patience: Seconds
  readonly #waiting: Map<string, PageRecord>
  readonly #held = new Map<string, PageRecord>()
  /** When a page was last given, or first asked for. */
  #lastGiven: UnixSeconds | undefined

  /** `patience` is how long a host is waited for whose pages others hold. */
  constructor(
    store: Store,
    { pages, patience }: { readonly pages: readonly PageRecord[]; readonly patience: Seconds },
  ) {
    this.#store = store
    this.#patience = patience
    this.#waiting = new Map(pages.map((page) => [page.id, page]))
    this.seen = storeSeen(store, {
      leaseDue: (request) => this.#lease(request),
      nextDue: (request) => this.#nextDue(request),
      countPages: (filter) => this.#count(filter),
      changePage: (page, change) => this.#change(page, change),
      releaseLeases: (leases) => this.#release(leases),
      recordVisits: (reports) => this.#record(reports),
    })
  }

  /** Pages whose hosts give no permit yet. */
  get waiting(): readonly PageRecord[] {
    return [...this.#waiting.values()]
  }

  /** How many are being visited. */
  get underWay(): number {
    return this.#held.size
  }

  async #lease(request: LeaseRequest): Promise<readonly Lease[]> {
    const { limit, now } = request
    this.#lastGiven ??= now
    if (this.#waiting.size === 0 || limit === 0) return []
    const pages = [...this.#waiting.keys()].map((id) => ({ id }))
    const leases = await this.#store.leasePages({ ...request, pages })
    const given = leases.slice(0, limit)
    if (leases.length > limit) await this.#store.releaseLeases(leases.slice(limit))
    for (const { page } of given) {
      this.#waiting.delete(page.id)
      this.#held.set(page.id, page)
    }
    if (given.length > 0) this.#lastGiven = now
    return given
  }

  /** Null where hosts gave no permit for longer than anybody waits. */
  async #nextDue({ now }: NextDueRequest): Promise<UnixSeconds | null> {
    if (this.#waiting.size === 0 || now - this.#lastGiven! > this.#patience) return null
    const hosts = [...new Set([...this.#waiting.values()].map(({ host }) => host))]
    const records = await Promise.all(hosts.map((host) => this.#store.getHost(host)))
    const times = records.map((record) => Math.max(record?.blockedUntil ?? 0, now + askAgain))
    return Math.min(...times)
  }

  async #count(filter: PageFilter): Promise<number> {
    return filter.dueBy === undefined ? this.#store.countPages(filter) : this.#waiting.size
  }

  /** A page that is held is given another due time where it waits for itself, such as for its hours. */
  #change(page: PageRef, change: PageChange): Promise<PageRecord | null> {
    if (change.due !== undefined && 'id' in page && this.#held.delete(page.id))
      this.deferred.add(page.id)
    return this.#store.changePage(page, change)
  }

  /** Given back without a visit, and not put off for itself: its host rests. */
  #release(leases: readonly LeaseRef[]): Promise<number> {
    for (const { id } of leases.map(({ page }) => page)) {
      const page = this.#held.get(id)
      if (page !== undefined) this.#waiting.set(id, page)
      this.#held.delete(id)
    }
    return this.#store.releaseLeases(leases)
  }

  /** Whatever the store makes of the report, the visit was made. */
  #record(reports: readonly VisitReport[]) {
    for (const { lease } of reports) this.#held.delete(lease.page.id)
    return this.#store.recordVisits(reports)
  }
}
