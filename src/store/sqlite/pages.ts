import {
  hostOf,
  type NewPage,
  type PageRecord,
  type PageRef,
  pageUrl,
  type UnixSeconds,
} from '../../model/index.js'
import { checkedPages } from '../checked-request.js'
import type { Database } from './database.js'
import type { Frontier, Place } from './frontier.js'
import type { Names } from './names.js'
import { collectionColumn, type PageRow, pageColumns, pageFrom, rowId } from './page-row.js'

/** The parts of a store that pages are kept with. */
export interface PageKeeping {
  readonly db: Database
  readonly collections: Names
  readonly hosts: Names
  readonly frontier: Frontier
}

/** Pages: added, and found again. */
export class Pages {
  readonly #keeping: PageKeeping
  readonly #insert
  readonly #find
  readonly #exists
  readonly #byId
  readonly #lastToken

  constructor(keeping: PageKeeping) {
    this.#keeping = keeping
    const { db } = keeping
    this.#insert = db.statement((q, slot) =>
      q
        .insertInto('pages')
        .values({
          collection: slot('collection'),
          host: slot('host'),
          url: slot('url'),
          due: slot('due'),
          reason: slot('reason'),
          added_at: slot('now'),
          page_group: slot('group'),
          importance: slot('importance'),
          settings: slot('settings'),
          hints: slot('hints'),
        })
        .onConflict((conflict) => conflict.doNothing()),
    )
    this.#find = db.statement((q, slot) =>
      q
        .selectFrom('pages')
        .select('id')
        .where('collection', '=', slot('collection'))
        .where('host', '=', slot('host'))
        .where('url', '=', slot('url')),
    )
    this.#exists = db.statement((q, slot) =>
      q.selectFrom('pages').select('id').where('id', '=', slot('id')),
    )
    this.#lastToken = db.statement((q, slot) =>
      q.selectFrom('pages').select('last_token').where('id', '=', slot('id')),
    )
    this.#byId = db.statement(
      (q, slot) => q.selectFrom('pages').select(pageColumns).where('id', '=', slot('id')),
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
    const grown = new Map<number, number>()
    let added = 0
    for (const page of pages) {
      const host = this.#keeping.hosts.ensure(hostOf(page.url))
      const fresh = this.#insert().run(this.#row(page, { collection, host, now: request.now }))
      added += fresh
      if (fresh > 0) grown.set(host, (grown.get(host) ?? 0) + 1)
    }
    for (const [host, more] of grown) this.#grow({ collection, host }, more)
    return { added, already: pages.length - added }
  }

  /** The page's number in this file; undefined where there is none. */
  locate(page: PageRef): number | undefined {
    if ('id' in page) return this.#exists().first({ id: rowId(page.id) })?.id
    const url = pageUrl(page.url)
    const collection = this.#keeping.collections.find(page.collection)
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
    const row = this.#byId().first({ id }) as PageRow | undefined
    return row === undefined ? null : this.record(row)
  }

  record(row: PageRow): PageRecord {
    return pageFrom(row, this.collectionOf(row))
  }

  collectionOf(row: PageRow): string {
    return this.#keeping.collections.nameOf(row[collectionColumn])
  }

  #grow(place: Place, more: number): void {
    this.#keeping.frontier.grow(place, more)
    this.#keeping.frontier.settle(place, null)
  }

  #row(page: NewPage, { collection, host, now }: Place & { readonly now: UnixSeconds }) {
    const due = page.due ?? { at: now, reason: 'never visited before' }
    return {
      collection,
      host,
      url: page.url,
      due: due.at === 'never' ? null : due.at,
      reason: due.reason,
      now,
      group: page.group ?? null,
      importance: page.importance ?? 1,
      settings: page.settings === undefined ? null : JSON.stringify(page.settings),
      hints: page.hints === undefined ? null : JSON.stringify(page.hints),
    }
  }
}
