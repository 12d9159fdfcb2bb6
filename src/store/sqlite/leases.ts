import { sql } from 'kysely'
import type { ChosenRequest, Lease, LeaseRef, LeaseRequest, LeaseTerms } from '../../model/index.js'
import { checkChosenRequest, checkLeaseRequest } from '../checked-request.js'
import type { Database } from './database.js'
import { DuePages } from './due-pages.js'
import type { LeasedCounts } from './leased-counts.js'
import type { Names } from './names.js'
import { type PageRow, pageColumns, pageFrom, rowId } from './page-row.js'
import type { Pages } from './pages.js'

/** Leases: given, held, taken back. */
export class Leases {
  readonly #pages: Pages
  readonly #collections: Names
  readonly #counts: LeasedCounts
  readonly #due: DuePages
  readonly #chosen
  readonly #give
  readonly #takeTokens
  readonly #end
  readonly #extend
  readonly #release
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
    this.#chosen = db.statement(
      (q, slot) =>
        q
          .selectFrom('pages')
          .select(pageColumns)
          .where('id', '=', slot('id'))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('leases')
                  .select('page')
                  .whereRef('leases.page', '=', 'pages.id')
                  .where('expires', '>', slot('now')),
              ),
            ),
          ),
      { arrays: true },
    )
    // One statement for all rows: a call for each would take as long as finding them.
    this.#give = db.statement(
      (_, slot) => sql<never>`
        insert or replace into leases (page, collection, host, token, expires, worker)
        select pages.id, pages.collection, pages.host, ${slot('first')} + given.key,
          ${slot('expires')}, ${slot('worker')}
        from json_each(${slot('ids')}) as given cross join pages on pages.id = given.value`,
    )
    this.#takeTokens = db.statement((q, slot) =>
      q
        .updateTable('counters')
        .set((eb) => ({ value: eb('value', '+', slot('many')) }))
        .where('name', '=', 'token')
        .returning('value'),
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
    this.#releaseWorker = db.statement((q, slot) =>
      q.deleteFrom('leases').where('worker', '=', slot('worker')),
    )
  }

  due(request: LeaseRequest): LeasedRows {
    checkLeaseRequest(request)
    const collection = this.#collections.find(request.collection)
    if (collection === undefined) return noRows
    return this.#given(this.#due.find(request, collection), request)
  }

  chosen(request: ChosenRequest): Lease[] {
    const { pages, now, perHost } = request
    checkChosenRequest(request)
    const ids = new Set(pages.map((page) => this.#pages.locate(page)))
    const free = [...ids].flatMap((id) => {
      if (id === undefined) return []
      return this.#chosen().all({ id, now }) as unknown as PageRow[]
    })
    const rows = perHost === undefined ? free : this.#due.withinRoom(free, { ...request, perHost })
    return leasesOf(this.#given(rows, request), {
      ...request,
      collectionOf: (row) => this.#pages.collectionOf(row),
    })
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

  releaseWorker(worker: string): number {
    return this.#releaseWorker().run({ worker })
  }

  #given(rows: readonly PageRow[], { now, ttl, worker }: LeaseTerms): LeasedRows {
    if (rows.length === 0) return noRows
    const last = this.#takeTokens().first({ many: rows.length })!.value
    const firstToken = last - rows.length + 1
    const ids = JSON.stringify(rows.map((row) => row[0]))
    this.#give().run({ first: firstToken, expires: now + ttl, worker, ids })
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
