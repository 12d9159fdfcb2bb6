import { sql } from 'kysely'
import type {
  ChosenRequest,
  HostHold,
  HostRecord,
  Lease,
  LeaseRef,
  LeaseRequest,
  LeaseTerms,
} from '../../model/lease.js'
import { queueWorker } from '../../model/queue.js'
import { countsOf, type PageBefore, pageFrom, rowId } from '../page-row.js'
import { writtenHost } from '../report-rows.js'
import { checkChosenRequest, checkLeaseRequest, checkTerms } from '../request-checks.js'
import { column, type PageRow } from '../schema.js'
import { DuePages, freePage, hostsLeft, othersLeases, type Terms } from './due-pages.js'
import type { Database } from './file/database.js'
import { type HostRow, type Hosts, hostRecord, type Names } from './hosts.js'
import type { Pages } from './pages.js'
import type { Crawls } from './queues/crawls.js'

/** Beyond this all is forgotten: leases that were never reported. */
const most = 100_000

/**
 * The counts of pages as they were when they were leased, so that recording a
 * visit need not read them again: a fifth of its time. They hold as long as
 * nothing but leases and visits of this connection was written; whatever else
 * is, by us or by another process, makes it forget them all.
 */
export class LeasedCounts {
  /** Without the rest of the row, which is gone as soon as the lease was given. */
  readonly #leased = new Map<number, { readonly token: number; readonly before: PageBefore }>()

  constructor(db: Database) {
    db.onOtherWrite(() => this.#leased.clear())
  }

  note(row: PageRow, token: number): void {
    if (this.#leased.size >= most) this.#leased.clear()
    this.#leased.set(row[column.id], { token, before: countsOf(row) })
  }

  /** The same for a claim, with what is known of the page's lease. */
  noteClaim(
    row: PageRow,
    { token, ...lease }: { readonly token: number } & Pick<PageBefore, 'leasedUntil' | 'set'>,
  ): void {
    if (this.#leased.size >= most) this.#leased.clear()
    this.#leased.set(row[column.id], { token, before: { ...countsOf(row), ...lease } })
  }

  /** Undefined where it is not known: the row itself has to be read. Given once. */
  take({ page, token }: { readonly page: number; readonly token: number }): PageBefore | undefined {
    const leased = this.#leased.get(page)
    if (leased?.token !== token) return undefined
    this.#leased.delete(page)
    return leased.before
  }
}

/** Leases: given, held, taken back. */
export class Leases {
  readonly #pages: Pages
  readonly #collections: Names
  readonly #counts: LeasedCounts
  readonly #due: DuePages
  readonly #hosts: Hosts
  readonly #crawls: Crawls
  readonly #othersLeases
  readonly #hostsLeft
  readonly #free
  readonly #lastToken
  readonly #takeTokens
  readonly #end
  readonly #extend
  readonly #release
  readonly #workers
  readonly #releaseWorker

  constructor(parts: {
    readonly db: Database
    readonly pages: Pages
    readonly collections: Names
    readonly counts: LeasedCounts
    readonly hosts: Hosts
    readonly crawls: Crawls
  }) {
    const { db } = parts
    this.#pages = parts.pages
    this.#collections = parts.collections
    this.#counts = parts.counts
    this.#due = new DuePages(db)
    this.#hosts = parts.hosts
    this.#crawls = parts.crawls
    this.#othersLeases = db.statement((_, slot) => othersLeases(slot), { arrays: true })
    this.#hostsLeft = db.statement((_, slot) => hostsLeft(slot), { arrays: true })
    this.#free = db.statement((_, slot) => freePage(slot), { arrays: true })
    this.#lastToken = db.statement((q) =>
      q.selectFrom('counters').select('value').where('name', '=', 'token'),
    )
    this.#takeTokens = db.statement((q, slot) =>
      q
        .updateTable('counters')
        .set((eb) => ({ value: eb('value', '+', slot('many')) }))
        .where('name', '=', 'token'),
    )
    this.#end = db.statement(
      (_, slot) => sql<never>`
        delete from leases where page in (select value from json_each(${slot('pages')}))`,
    )
    this.#extend = db.statement((q, slot) =>
      q
        .updateTable('leases')
        .set({ expires: slot('until') })
        .where('page', '=', slot('page'))
        .where('token', '=', slot('token')),
    )
    this.#release = db.statement((q, slot) =>
      q.deleteFrom('leases').where('page', '=', slot('page')).where('token', '=', slot('token')),
    )
    this.#workers = db.statement((q) =>
      q.selectFrom('leases').select('worker').where('worker', '!=', queueWorker).distinct(),
    )
    this.#releaseWorker = db.statement((q, slot) =>
      q.deleteFrom('leases').where('worker', '=', slot('worker')).returning('page'),
    )
  }

  due(request: LeaseRequest): LeasedRows {
    checkLeaseRequest(request)
    const collection = this.#collections.find(request.collection)
    if (collection === undefined || this.#crawls.is(collection)) return noRows
    const [now, left] = this.#othersLeases().first({ worker: request.worker, now: request.now })!
    const workers = now === 0 ? 'one' : 'many'
    const lease = (terms: Terms) => this.#due.lease(request, { collection, workers, terms })
    return this.#given(request, { lease, left: left > 0 })
  }

  chosen(request: ChosenRequest): Lease[] {
    const { pages, now, perHost } = request
    checkChosenRequest(request)
    const ids = new Set(pages.map((page) => this.#pages.locate(page)))
    const found = [...ids].flatMap((id) => (id === undefined ? [] : this.#free().all({ id, now })))
    // Pages of a crawl are held for a plan, and visited by its clients alone.
    const free = found.filter(
      ([, , collection]) => perHost === undefined || !this.#crawls.is(collection),
    )
    const given = perHost === undefined ? free : this.#due.withinRoom(free, { ...request, perHost })
    const numbers = given.map(([page]) => page)
    const lease = (terms: Terms) => this.#due.leaseThese(numbers, terms)
    return leasesOf(this.#given(request, { lease, left: true }), {
      ...request,
      collectionOf: (row) => this.#pages.collectionOf(row),
    })
  }

  /**
   * Hosts of which another worker let a lease run out. It may still be at work:
   * whoever takes such a host over fences its record.
   */
  hostsLeft(by: { readonly worker: string; readonly now: number }): number[] {
    return this.#hostsLeft()
      .all(by)
      .map(([host]) => host)
  }

  /** For a lease or a hold that is about to be given. */
  nextToken(): number {
    this.#takeTokens().run({ many: 1 })
    return this.#lastToken().first()!.value
  }

  /** Pages of queues by their numbers, in that order. */
  queued(pages: readonly number[], { now, ttl, worker }: LeaseTerms): PageRow[] {
    const token = this.#lastToken().first()!.value + 1
    const rows = this.#due.leaseThese(pages, { token, expires: now + ttl, worker })
    if (rows.length > 0) this.#takeTokens().run({ many: rows.length })
    return rows
  }

  /** Ends the leases of pages that were visited. */
  end(pages: ReadonlySet<number>): void {
    if (pages.size > 0) this.#end().run({ pages: JSON.stringify([...pages]) })
  }

  extend({ page, token }: LeaseRef, until: number): boolean {
    return this.#extend().run({ page: rowId(page.id), token, until }) > 0
  }

  release({ page, token }: LeaseRef): boolean {
    return this.#release().run({ page: rowId(page.id), token }) > 0
  }

  workers(): string[] {
    return this.#workers()
      .all({})
      .map(({ worker }) => worker)
  }

  /** How many pages: hosts that it held for themselves are free too. */
  releaseWorker(worker: string): number {
    // No process of that name can be gone: any node takes the reports of the frontier.
    if (worker === queueWorker) return 0
    return this.#releaseWorker()
      .all({ worker })
      .filter(({ page }) => page > 0).length
  }

  #given(
    { now, ttl, worker }: LeaseTerms,
    given: {
      readonly lease: (terms: Terms) => readonly PageRow[]
      /** Whether another worker may have let a lease run out. */
      readonly left: boolean
    },
  ): LeasedRows {
    const firstToken = this.#lastToken().first()!.value + 1
    // Before they are leased again, which takes the old lease's place.
    const left = given.left ? this.hostsLeft({ worker, now }) : []
    const rows = given.lease({ token: firstToken, expires: now + ttl, worker })
    if (rows.length === 0) return noRows
    this.#takeTokens().run({ many: rows.length })
    const ids = new Set<number>()
    rows.forEach((row, at) => {
      this.#counts.note(row, firstToken + at)
      ids.add(row[column.host])
    })
    for (const id of left) if (ids.has(id)) this.#hosts.fence(id, firstToken)
    return { rows, firstToken, hosts: this.#hosts.rows(ids) }
  }
}

/** Pages that were leased, by tokens that follow one another. */
export interface LeasedRows {
  readonly rows: readonly PageRow[]
  readonly firstToken: number
  /** The records of their hosts. */
  readonly hosts: readonly HostRow[]
}

const noRows: LeasedRows = { rows: [], firstToken: 0, hosts: [] }

/** The leases that were given. */
export function leasesOf(
  { rows, firstToken, hosts }: LeasedRows,
  about: LeaseTerms & { readonly collectionOf: (row: PageRow) => string },
): Lease[] {
  const { worker, collectionOf } = about
  const expiresAt = about.now + about.ttl
  const known = new Map(hosts.map((each) => [each.id, each]))
  const records = new Map<number, HostRecord | null>()
  return rows.map((row, at) => {
    const id = row[column.host]
    const host = known.get(id)!
    const record = records.get(id) ?? hostRecord(host)
    records.set(id, record)
    const page = pageFrom(row, collectionOf(row), host.name)
    return { page, host: host.name, token: firstToken + at, worker, expiresAt, hostRecord: record }
  })
}

/** What one process asks for when it wants a host. */
export type HoldRequest = LeaseTerms & { readonly host: string }

/**
 * Hosts that are held for themselves. Each is kept among the leases, as that of
 * a page which cannot be (the host's number below zero): so whatever counts or
 * ends the leases of a host or of a worker counts and ends its hold.
 */
export class HostLeases {
  readonly #names: Names
  readonly #hosts: Hosts
  readonly #leases: Leases
  readonly #taken
  readonly #take
  readonly #release

  constructor(parts: {
    readonly db: Database
    readonly names: Names
    readonly hosts: Hosts
    readonly leases: Leases
  }) {
    const { db } = parts
    this.#names = parts.names
    this.#hosts = parts.hosts
    this.#leases = parts.leases
    this.#taken = db.statement((q, slot) =>
      q
        .selectFrom('leases')
        .select('page')
        .where('host', '=', slot('host'))
        .where('expires', '>', slot('now'))
        .where((eb) => eb.or([eb('worker', '!=', slot('worker')), eb('page', '<', 0)])),
    )
    this.#take = db.statement((q, slot) =>
      q.replaceInto('leases').values({
        page: slot('page'),
        collection: -1,
        host: slot('host'),
        token: slot('token'),
        expires: slot('expires'),
        worker: slot('worker'),
      }),
    )
    this.#release = db.statement((q, slot) =>
      q.deleteFrom('leases').where('page', '=', slot('page')).where('token', '=', slot('token')),
    )
  }

  /** Whether somebody else has it; without a transaction that writes, for those who ask again and again. */
  isTaken(request: HoldRequest): boolean {
    checkTerms(request)
    const { host, now, worker } = request
    const id = this.#names.find(host)
    return id !== undefined && this.#taken().first({ host: id, now, worker }) !== undefined
  }

  /** Within a transaction that writes. */
  take(request: HoldRequest): HostHold | null {
    if (this.isTaken(request)) return null
    const { host, now, ttl, worker } = request
    const id = this.#names.ensure(host)
    const isLeft = this.#leases.hostsLeft({ worker, now }).includes(id)
    const token = this.#leases.nextToken()
    const expiresAt = now + ttl
    this.#take().run({ page: -id, host: id, token, expires: expiresAt, worker })
    if (isLeft) this.#hosts.fence(id, token)
    const [row] = this.#hosts.rows(new Set([id]))
    return { host, token, worker, expiresAt, record: hostRecord(row!) }
  }

  /** Within a transaction that writes. */
  release({ host, token }: Pick<HostHold, 'host' | 'token'>, record?: HostRecord): boolean {
    if (record !== undefined) this.#hosts.put(writtenHost(record))
    const id = this.#names.find(host)
    return id !== undefined && this.#release().run({ page: -id, token }) > 0
  }
}
