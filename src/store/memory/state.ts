import { type HostFence, type HostRecord, mayReplace } from '../../model/lease.js'
import { type PageRecord, type PageRef, pageUrl } from '../../model/page.js'
import type { Version } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import type { VisitRecord } from '../../model/visit-record.js'
import type { ChoreHold, WorkerRecord } from '../../model/worker.js'

/** A page with all that belongs to it. */
export interface KeptPage {
  readonly number: number
  record: PageRecord
  readonly visits: VisitRecord[]
  /** Oldest first. */
  versions: Version[]
  /** Of the lease under which the last visit was recorded. */
  lastToken?: number
}

interface KeptLease {
  readonly page: KeptPage
  readonly token: number
  readonly worker: string
  readonly expires: number
  /** The page's due time was set since the lease was given: it outlives the visit. */
  dueSet?: boolean
}

/** Everything a memory store holds, in plain maps. */
export class MemoryState {
  readonly pages = new Map<number, KeptPage>()
  readonly leases = new Map<number, KeptLease>()
  /** Hosts that are held for themselves, by name. */
  readonly holds = new Map<string, Omit<KeptLease, 'page'>>()
  /** What records of a host have to be newer than. */
  readonly fences = new Map<string, HostFence>()
  /** All visits in the order they were recorded. */
  log: { readonly number: number; readonly page: KeptPage; readonly visit: VisitRecord }[] = []
  readonly contents = new Map<string, Uint8Array>()
  readonly hosts = new Map<string, HostRecord | null>()
  readonly settings = new Map<string, Map<string, Json>>()
  readonly collections = new Set<string>()
  readonly workers = new Map<string, WorkerRecord>()
  readonly chores = new Map<string, ChoreHold>()
  /** When a page of a collection's host was last visited. */
  readonly served = new Map<string, number>()
  token = 0
  #lastPage = 0
  #lastVisit = 0
  readonly #byUrl = new Map<string, KeptPage>()

  /** The number of the last visit; 0 before there is any. */
  get lastVisit(): number {
    return this.#lastVisit
  }

  find(page: PageRef): KeptPage | undefined {
    if ('id' in page) return this.pages.get(Number(page.id))
    return this.#byUrl.get(urlKey({ collection: page.collection, url: pageUrl(page.url) }))
  }

  add(record: Omit<PageRecord, 'id'>): void {
    const number = ++this.#lastPage
    const page = {
      number,
      record: { ...record, id: String(number) },
      visits: [],
      versions: [],
    }
    if (!this.hosts.has(record.host)) this.hosts.set(record.host, null)
    this.pages.set(number, page)
    this.#byUrl.set(urlKey(record), page)
  }

  /** Keeps a host's record, unless it has a newer one; hints that it leaves out stay as they were. */
  putHost(record: HostRecord): boolean {
    const { host } = record
    const before = this.hosts.get(host)
    const fence = this.fences.get(host)
    const written = mayReplace(record, fence)
    const newest = written ? record : before
    const hints = record.hints ?? before?.hints
    if (newest != null) {
      const { fence: _, ...kept } = newest
      this.hosts.set(host, structuredClone({ ...kept, ...(hints === undefined ? {} : { hints }) }))
    }
    if (written && record.fence !== undefined) this.fences.set(host, record.fence)
    return written
  }

  /** The record of a host; null where nothing is known. */
  host(name: string): HostRecord | null {
    const record = this.hosts.get(name) ?? null
    const fence = this.fences.get(name)
    return structuredClone(record === null || fence === undefined ? record : { ...record, fence })
  }

  /** All that holds a host at a time: leases of its pages, and the hold of itself. */
  holding(host: string, now: number): Omit<KeptLease, 'page'>[] {
    const leases = [...this.leases.values()].filter(({ page }) => page.record.host === host)
    const hold = this.holds.get(host)
    return [...leases, ...(hold === undefined ? [] : [hold])].filter(({ expires }) => expires > now)
  }

  /** Fences a host where another worker let a lease of it run out after its record was last fenced. */
  fenceLeft(host: string, terms: { token: number; worker: string; now: number }): void {
    const { token, worker, now } = terms
    const hold = this.holds.get(host)
    const ofPages = [...this.leases.values()].filter(({ page }) => page.record.host === host)
    const left = [...ofPages, ...(hold === undefined ? [] : [hold])].some(
      (each) =>
        each.worker !== worker &&
        each.expires <= now &&
        each.token >= (this.fences.get(host)?.token ?? 0),
    )
    if (left) this.fences.set(host, { token, step: 0 })
  }

  remove(page: KeptPage): void {
    this.pages.delete(page.number)
    this.leases.delete(page.number)
    this.#byUrl.delete(urlKey(page.record))
    this.log = this.log.filter((entry) => entry.page !== page)
    const { collection, host } = page.record
    const alone = ![...this.pages.values()].some(
      ({ record }) => record.collection === collection && record.host === host,
    )
    if (alone) this.served.delete(hostKey(page.record))
    this.forgetContents()
  }

  append(page: KeptPage, visit: VisitRecord): void {
    page.visits.push(visit)
    this.log.push({ number: ++this.#lastVisit, page, visit })
    const before = this.served.get(hostKey(page.record)) ?? -Infinity
    this.served.set(hostKey(page.record), Math.max(before, visit.at))
  }

  /** Lets go of contents that no version has. */
  forgetContents(): void {
    const used = new Set([...this.pages.values()].flatMap((page) => page.versions.map(digest)))
    for (const name of this.contents.keys()) if (!used.has(name)) this.contents.delete(name)
  }
}

/** One host of one collection; neither may hold a space once in a key. */
export function hostKey({ collection, host }: Pick<PageRecord, 'collection' | 'host'>): string {
  return `${host} ${collection}`
}

function urlKey({ collection, url }: Pick<PageRecord, 'collection' | 'url'>): string {
  return `${url} ${collection}`
}

function digest(version: Version): string {
  return version.digest
}
