import { sql } from 'kysely'
import type { ChosenRequest, Lease, LeaseRef, LeaseRequest, LeaseTerms } from '../../model/index.js'
import { checkChosenRequest, checkLeaseRequest } from '../checked-request.js'
import { freePage } from './candidates.js'
import type { Database } from './database.js'
import { DuePages, type Terms } from './due-pages.js'
import type { LeasedCounts } from './leased-counts.js'
import type { Names } from './names.js'
import { type PageRow, pageFrom, rowId } from './page-row.js'
import type { Pages } from './pages.js'

/** Leases: given, held, taken back. */
export class Leases {
  readonly #pages: Pages
  readonly #collections: Names
  readonly #counts: LeasedCounts
  readonly #due: DuePages
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
  }) {
    const { db } = parts
    this.#pages = parts.pages
    this.#collections = parts.collections
    this.#counts = parts.counts
    this.#due = new DuePages(db)
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
    this.#workers = db.statement((q) => q.selectFrom('leases').select('worker').distinct())
    this.#releaseWorker = db.statement((q, slot) =>
      q.deleteFrom('leases').where('worker', '=', slot('worker')),
    )
  }

  due(request: LeaseRequest): LeasedRows {
    checkLeaseRequest(request)
    const collection = this.#collections.find(request.collection)
    if (collection === undefined) return noRows
    return this.#given(request, (terms) => this.#due.lease(request, collection, terms))
  }

  chosen(request: ChosenRequest): Lease[] {
    const { pages, now, perHost } = request
    checkChosenRequest(request)
    const ids = new Set(pages.map((page) => this.#pages.locate(page)))
    const free = [...ids].flatMap((id) => (id === undefined ? [] : this.#free().all({ id, now })))
    const given = perHost === undefined ? free : this.#due.withinRoom(free, { ...request, perHost })
    const numbers = given.map(([page]) => page)
    return leasesOf(
      this.#given(request, (terms) => this.#due.leaseThese(numbers, terms)),
      { ...request, collectionOf: (row) => this.#pages.collectionOf(row) },
    )
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

  releaseWorker(worker: string): number {
    return this.#releaseWorker().run({ worker })
  }

  #given(
    { now, ttl, worker }: LeaseTerms,
    lease: (terms: Terms) => readonly PageRow[],
  ): LeasedRows {
    const firstToken = this.#lastToken().first()!.value + 1
    const rows = lease({ token: firstToken, expires: now + ttl, worker })
    if (rows.length === 0) return noRows
    this.#takeTokens().run({ many: rows.length })
    rows.forEach((row, at) => {
      this.#counts.note(row, firstToken + at)
    })
    return { rows, firstToken }
  }
}

/** Pages that were leased, by tokens that follow one another. */
export interface LeasedRows {
  readonly rows: readonly PageRow[]
  readonly firstToken: number
}

const noRows: LeasedRows = { rows: [], firstToken: 0 }

/** The leases that were given. */
export function leasesOf(
  { rows, firstToken }: LeasedRows,
  about: LeaseTerms & { readonly collectionOf: (row: PageRow) => string },
): Lease[] {
  const { worker, collectionOf } = about
  const expiresAt = about.now + about.ttl
  return rows.map((row, at) => {
    const page = pageFrom(row, collectionOf(row))
    return { page, host: page.host, token: firstToken + at, worker, expiresAt }
  })
}
