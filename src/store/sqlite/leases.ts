import { sql } from 'kysely'
import type { Lease, LeaseRef, LeaseRequest, LeaseTerms, PageRef } from '../../model/index.js'
import { checkLeaseRequest, checkTerms } from '../checked-request.js'
import { candidates, furtherPages, pagesOf, roomOf } from './candidates.js'
import type { Database } from './database.js'
import type { LeasedCounts } from './leased-counts.js'
import type { Names } from './names.js'
import { hostColumn, type PageRow, pageColumns, pageFrom, rowId } from './page-row.js'
import type { Pages } from './pages.js'

interface HostRoom {
  readonly collection: number
  readonly now: number
  readonly perHost: number
  readonly ahead: number
  readonly worker: string
}

/** Leases: given, held, taken back. */
export class Leases {
  readonly #pages: Pages
  readonly #collections: Names
  readonly #counts: LeasedCounts
  readonly #candidates
  readonly #furtherPages
  readonly #pagesOf
  readonly #room
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
    this.#candidates = db.statement((_, slot) => candidates(slot), { arrays: true })
    this.#furtherPages = db.statement((_, slot) => furtherPages(slot), { arrays: true })
    this.#pagesOf = db.statement((_, slot) => pagesOf(slot), { arrays: true })
    this.#room = db.statement((_, slot) => roomOf(slot))
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
    const { now, limit, perHost, ahead = perHost, worker, host = null } = request
    const room = { collection, now, perHost, ahead, worker }
    const first = this.#candidates().all({ ...room, host, limit }) as unknown as PageRow[]
    const more = ahead > 1 ? this.#further(first, { ...room, limit: limit - first.length }) : []
    return this.#given([...first, ...more], request)
  }

  /** Of the hosts of these pages the second page each, then the third, up to the room and the limit. */
  #further(first: readonly PageRow[], room: HostRoom & { readonly limit: number }): PageRow[] {
    const { limit, ...asked } = room
    if (limit <= 0) return []
    const turns = first.map((row) => {
      const host = row[hostColumn]
      const free = this.#room().first({ ...asked, host })!.room
      const slots = { collection: asked.collection, host, now: asked.now, room: free }
      return free <= 1 ? [] : this.#furtherPages().all(slots)
    })
    const ids: number[] = []
    for (let round = 0; ids.length < limit; round++) {
      const found = turns.flatMap((pages) => pages[round] ?? [])
      if (found.length === 0) break
      ids.push(...found.slice(0, limit - ids.length))
    }
    return this.#pagesOf().all({ ids: JSON.stringify(ids) }) as unknown as PageRow[]
  }

  chosen(pages: readonly PageRef[], terms: LeaseTerms): Lease[] {
    checkTerms(terms)
    const ids = new Set(pages.map((page) => this.#pages.locate(page)))
    const rows = [...ids].flatMap((id) => {
      if (id === undefined) return []
      return this.#chosen().all({ id, now: terms.now }) as unknown as PageRow[]
    })
    return leasesOf(this.#given(rows, terms), {
      ...terms,
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
  return rows.map((row, at) => ({
    page: pageFrom(row, collectionOf(row)),
    token: firstToken + at,
    worker,
    expiresAt,
  }))
}
