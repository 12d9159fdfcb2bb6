import { sql } from 'kysely'
import {
  hostOf,
  type NewPage,
  type PageChange,
  type PageRecord,
  type PageRef,
  pageUrl,
} from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import { addedCells, addedColumns, changedCells, pageFrom, rowId } from '../page-row.js'
import { isACrawl } from '../queue-rules.js'
import { checkChange, checkedPages } from '../request-checks.js'
import { column, type PageRow, type Place } from '../schema.js'
import { columnsOfPage } from './due-pages.js'
import type { Database } from './file/database.js'
import { fileCell, queries } from './file/statement.js'
import type { Frontier } from './frontier.js'
import type { Names } from './hosts.js'
import type { SqliteInbox } from './inbox.js'
import type { Crawls } from './queues/crawls.js'
import type { Snapshots } from './snapshots.js'
import type { Visits } from './visits.js'

/** The parts of a store that pages are kept with. */
interface PageKeeping {
  readonly db: Database
  readonly collections: Names
  readonly hosts: Names
  readonly crawls: Crawls
  readonly frontier: Frontier
}

/** Pages: added, and found again. */
export class Pages {
  readonly #keeping: PageKeeping
  readonly #insert
  readonly #find
  readonly #ofCrawl
  readonly #exists
  readonly #byId
  readonly #lastToken

  constructor(keeping: PageKeeping) {
    this.#keeping = keeping
    const { db } = keeping
    this.#insert = db.statement(
      (_, slot) => sql<never>`
        insert into pages (${sql.join(addedColumns.map((name) => sql.ref(name)))})
        values (${sql.join(addedColumns.map((name) => slot(name)))}) on conflict do nothing`,
    )
    this.#find = db.statement((q, slot) =>
      q
        .selectFrom('pages')
        .select('id')
        .where('collection', '=', slot('collection'))
        .where('host', '=', slot('host'))
        .where('url', '=', slot('url')),
    )
    // As it was sent, in whichever queue.
    this.#ofCrawl = db.statement((q, slot) =>
      q
        .selectFrom('pages')
        .select('id')
        .where('collection', '=', slot('collection'))
        .where('url', '=', slot('url'))
        .orderBy('id')
        .limit(1),
    )
    this.#exists = db.statement((q, slot) =>
      q.selectFrom('pages').select('id').where('id', '=', slot('id')),
    )
    this.#lastToken = db.statement((q, slot) =>
      q.selectFrom('pages').select('last_token').where('id', '=', slot('id')),
    )
    this.#byId = db.statement(
      (_, slot) => sql<PageRow>`select ${columnsOfPage()} from pages where id = ${slot('id')}`,
      { arrays: true },
    )
  }

  add(request: {
    readonly collection: string
    readonly pages: readonly NewPage[]
    readonly now: UnixSeconds
  }): { added: number; already: number } {
    const pages = checkedPages(request.pages)
    const collection = this.#keeping.collections.ensure(request.collection)
    if (pages.length > 0 && this.#keeping.crawls.is(collection)) throw isACrawl(request.collection)
    const grown = new Map<number, number>()
    let added = 0
    for (const page of pages) {
      const host = this.#keeping.hosts.ensure(hostOf(page.url))
      if (!this.insert({ collection, host }, page, request.now)) continue
      added++
      grown.set(host, (grown.get(host) ?? 0) + 1)
    }
    for (const [host, more] of grown) this.#grow({ collection, host }, more)
    return { added, already: pages.length - added }
  }

  /** Whether it was not there yet. What is left to be done is to grow its host in the frontier. */
  insert(place: Place, page: NewPage, now: UnixSeconds): boolean {
    return this.#insert().run(addedCells(page, { ...place, now }).map(fileCell)) > 0
  }

  /** The page's number in this file; undefined where there is none. */
  locate(page: PageRef): number | undefined {
    if ('id' in page) return this.#exists().first({ id: rowId(page.id) })?.id
    const collection = this.#keeping.collections.find(page.collection)
    if (collection !== undefined && this.#keeping.crawls.is(collection))
      return this.#ofCrawl().first({ collection, url: page.url })?.id
    const url = pageUrl(page.url)
    const host = this.#keeping.hosts.find(hostOf(url))
    if (collection === undefined || host === undefined) return undefined
    return this.#find().first({ collection, host, url })?.id
  }

  get(page: PageRef): PageRecord | null {
    const id = 'id' in page ? rowId(page.id) : this.locate(page)
    return id === undefined ? null : this.byNumber(id)
  }

  /** Of the lease under which its last visit was recorded; null before there is any. */
  lastToken(id: string): number | null {
    return this.#lastToken().first({ id: rowId(id) })?.last_token ?? null
  }

  byNumber(id: number): PageRecord | null {
    const row = this.#byId().first({ id })
    return row === undefined ? null : this.record(row)
  }

  record(row: PageRow): PageRecord {
    const { crawls, hosts } = this.#keeping
    const key = crawls.is(row[column.collection]) ? hosts.nameOf(row[column.host]) : undefined
    return pageFrom(row, this.collectionOf(row), key)
  }

  collectionOf(row: PageRow): string {
    return this.#keeping.collections.nameOf(row[column.collection])
  }

  #grow(place: Place, more: number): void {
    this.#keeping.frontier.grow(place, more)
    this.#keeping.frontier.settle(place, null)
  }
}

/** Pages changed by hand, and taken away with all that belongs to them. */
export class PageChanges {
  readonly #db: Database
  readonly #frontier: Frontier
  readonly #visits: Visits
  readonly #snapshots: Snapshots
  readonly #inbox: SqliteInbox
  readonly #place
  readonly #delete
  readonly #dropLease
  readonly #overrule

  constructor({
    db,
    frontier,
    visits,
    snapshots,
    inbox,
  }: {
    readonly db: Database
    readonly frontier: Frontier
    readonly visits: Visits
    readonly snapshots: Snapshots
    readonly inbox: SqliteInbox
  }) {
    this.#db = db
    this.#frontier = frontier
    this.#visits = visits
    this.#snapshots = snapshots
    this.#inbox = inbox
    this.#place = db.statement((q, slot) =>
      q.selectFrom('pages').select(['collection', 'host']).where('id', '=', slot('id')),
    )
    this.#delete = db.statement((q, slot) => q.deleteFrom('pages').where('id', '=', slot('id')))
    this.#dropLease = db.statement((q, slot) =>
      q.deleteFrom('leases').where('page', '=', slot('id')),
    )
    this.#overrule = db.statement((q, slot) =>
      q.updateTable('leases').set({ due_set: 1 }).where('page', '=', slot('id')),
    )
  }

  change(id: number, change: PageChange): void {
    checkChange(change)
    const cells = Object.entries(changedCells(change))
    if (cells.length === 0) return
    const columns = Object.fromEntries(cells.map(([name, cell]) => [name, fileCell(cell)]))
    this.#db.once(queries.updateTable('pages').set(columns).where('id', '=', id))
    if (change.due === undefined) return
    this.#overrule().run({ id })
    this.#frontier.settle(this.#placeOf(id), null)
  }

  remove(id: number): void {
    const place = this.#placeOf(id)
    this.#visits.removeAll(id)
    this.#snapshots.removeAll(id)
    this.#inbox.removeAll(id)
    this.#dropLease().run({ id })
    this.#delete().run({ id })
    this.#frontier.grow(place, -1)
    this.#frontier.settle(place, null)
    this.#frontier.dropIfEmpty(place)
  }

  #placeOf(id: number): Place {
    return this.#place().first({ id })!
  }
}
