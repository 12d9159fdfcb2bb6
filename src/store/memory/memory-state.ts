import {
  type HostRecord,
  hostOf,
  type Json,
  type PageRecord,
  type PageRef,
  pageUrl,
  type Version,
  type VisitRecord,
} from '../../model/index.js'

/** A page with all that belongs to it. */
export interface KeptPage {
  readonly number: number
  record: PageRecord
  readonly visits: VisitRecord[]
  /** Oldest first. */
  versions: Version[]
}

export interface KeptLease {
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
  /** All visits in the order they were recorded. */
  log: { readonly number: number; readonly page: KeptPage; readonly visit: VisitRecord }[] = []
  readonly contents = new Map<string, Uint8Array>()
  readonly hosts = new Map<string, HostRecord | null>()
  readonly settings = new Map<string, Map<string, Json>>()
  readonly collections = new Set<string>()
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

  add(record: Omit<PageRecord, 'id' | 'host'>): void {
    const number = ++this.#lastPage
    const host = hostOf(record.url)
    const page = {
      number,
      record: { ...record, id: String(number), host },
      visits: [],
      versions: [],
    }
    if (!this.hosts.has(host)) this.hosts.set(host, null)
    this.pages.set(number, page)
    this.#byUrl.set(urlKey(record), page)
  }

  /** Keeps a host's record; hints that it leaves out stay as they were. */
  putHost(record: HostRecord): void {
    const before = this.hosts.get(record.host)
    const hints = record.hints ?? before?.hints
    this.hosts.set(
      record.host,
      structuredClone({ ...record, ...(hints === undefined ? {} : { hints }) }),
    )
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
