import { type RawBuilder, sql } from 'kysely'
import {
  type AddressFilter,
  type DatedItem,
  type QueueAddress,
  type QueuedPage,
  type QueueItem,
  type QueueRef,
  queueWorker,
} from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import { pageFrom } from '../../page-row.js'
import { claimToken, queuedPage } from '../../queue-rules.js'
import { readCursor, writeCursor } from '../../request-checks.js'
import { column, type PageRow, type Place, pageColumns } from '../../schema.js'
import { columnsOfPage, ofQueues } from '../due-pages.js'
import type { Database } from '../file/database.js'
import { handedOver, type SlotOf } from '../file/statement.js'
import { type Frontier, Touched } from '../frontier.js'
import type { Names } from '../hosts.js'
import type { LeasedCounts, Leases } from '../leases.js'
import type { Pages } from '../pages.js'
import type { Crawls } from './crawls.js'
import type { QueueStates } from './states.js'

export interface AddressParts {
  readonly db: Database
  readonly hosts: Names
  readonly collections: Names
  readonly counts: LeasedCounts
  readonly crawls: Crawls
  readonly frontier: Frontier
  readonly leases: Leases
  readonly pages: Pages
  readonly states: QueueStates
}

/** A report brings metadata of its own. */
const claimedColumns = pageColumns.map(([name]) =>
  name === 'metadata' ? sql`null` : sql.ref(`pages.${name}`),
)

/** Addresses of queues: added, scheduled by a client's date, and found again. */
export class Addresses {
  readonly #parts: AddressParts
  readonly #find
  readonly #claim
  readonly #date
  readonly #lease
  readonly #list
  readonly #count
  readonly #stretch
  readonly #stretchOfQueue

  constructor(parts: AddressParts) {
    this.#parts = parts
    const { db } = parts
    this.#find = db.statement(
      (_, slot) => sql<PageRow>`
        select ${columnsOfPage()} from pages
        where collection = ${slot('collection')} and host = ${slot('host')} and url = ${slot('url')}`,
      { arrays: true },
    )
    this.#claim = db.wideStatement((_, slot) => claimedRows(slot))
    this.#date = db.statement(
      (_, slot) => sql<never>`
        update pages set due = ${slot('due')}, reason = ${slot('reason')},
          metadata = ${slot('metadata')} where id = ${slot('id')}`,
    )
    this.#lease = db.statement((q, slot) =>
      q
        .selectFrom('leases')
        .select('expires')
        .where('page', '=', slot('page'))
        .where('worker', '=', ofQueues),
    )
    this.#list = db.statement(
      (_, slot) => sql<PageRow>`
        select ${columnsOfPage()} from pages
        where collection = ${slot('collection')}
          and (host, url) > (${slot('afterHost')}, ${slot('afterUrl')})
          and host <= ${slot('lastHost')} and ${contains(slot)}
        order by host, url limit ${slot('limit')} + 0`,
      { arrays: true },
    )
    this.#count = db.statement(
      (_, slot) => sql<{ pages: number }>`
        select count(*) as pages from pages
        where collection = ${slot('collection')}
          and host between ${slot('firstHost')} and ${slot('lastHost')} and ${contains(slot)}`,
    )
    this.#stretch = db.statement(
      (_, slot) => sql<readonly [number, number]>`
        select id, added_at from pages
        where collection = ${slot('collection')} and id > ${slot('after')}
        order by id limit ${slot('limit')} + 0`,
      { arrays: true },
    )
    // By the index of the queue, however large the crawl is.
    this.#stretchOfQueue = db.statement(
      (_, slot) => sql<readonly [number, number]>`
        select id, added_at from pages
        where collection = ${slot('collection')} and host = ${slot('host')}
          and +id > ${slot('after')}
        order by +id limit ${slot('limit')} + 0`,
      { arrays: true },
    )
  }

  /** Of each whether it was added; within a transaction that writes. */
  add(items: readonly QueueItem[], now: UnixSeconds): boolean[] {
    const { pages, frontier } = this.#parts
    const grown = new Map<string, Place & { more: number }>()
    const placeOf = this.#ensuring()
    const added = items.map(({ url, metadata, ...queue }) => {
      const place = placeOf(queue)
      if (!pages.insert(place, { url, metadata }, now)) return false
      note(grown, place)
      return true
    })
    this.#grow(grown)
    for (const place of grown.values()) frontier.settle(place, null)
    return added
  }

  /** Within a transaction that writes. */
  put(items: readonly DatedItem[], now: UnixSeconds): void {
    const { pages, frontier, leases } = this.#parts
    const grown = new Map<string, Place & { more: number }>()
    const touched = new Touched()
    const ended = new Set<number>()
    const placeOf = this.#ensuring()
    for (const { url, metadata, due, reason, ...queue } of items) {
      const place = placeOf(queue)
      const known = this.#find().first({ ...place, url })
      if (known === undefined) {
        pages.insert(place, { url, metadata, due: { at: due, reason } }, now)
        note(grown, place)
      } else {
        const id = known[column.id]
        const at = due === 'never' ? null : due
        this.#date().execute({ id, due: at, reason, metadata: JSON.stringify(metadata) })
        const lease = this.#lease().first({ page: id })
        if (lease !== undefined) {
          ended.add(id)
          touched.add(place, undefined, Math.min(now, lease.expires))
        }
      }
      touched.add(place)
    }
    leases.end(ended)
    this.#grow(grown)
    touched.settle(frontier)
  }

  /** The row of an address, as it is. */
  row({ collection, key, url }: QueueAddress): PageRow | undefined {
    const place = this.placeOf(collection, key)
    return place === undefined ? undefined : this.#find().first({ ...place, url })
  }

  /** Rows of those that are there, in the order given; what they count is noted for the report. */
  claimed(items: readonly QueueAddress[]): (PageRow | undefined)[] {
    const rows: (PageRow | undefined)[] = items.map(() => undefined)
    const wanted = items.flatMap(({ collection, key, url }, at) => {
      const place = this.placeOf(collection, key)
      return place === undefined ? [] : [[at, place.collection, place.host, url] as const]
    })
    if (wanted.length === 0) return rows
    for (const [at, worker, expires, dueSet, ...row] of this.#claim().all({
      wanted: JSON.stringify(wanted),
    })) {
      rows[at] = row
      const isFree = worker === null || worker === queueWorker
      if (!isFree) continue
      const set = { due: row[column.due], reason: row[column.reason] }
      const lease = { leasedUntil: expires, ...(dueSet === 1 ? { set } : {}) }
      this.#parts.counts.noteClaim(row, { ...lease, token: claimToken(row[column.newest_visit]) })
    }
    return rows
  }

  list({
    collection,
    key,
    contains: part,
    ignoreCase = false,
    after,
    limit,
  }: AddressFilter & { readonly after?: string; readonly limit: number }): {
    pages: QueuedPage[]
    next: string | null
  } {
    const crawl = this.#parts.crawls.find(collection)
    if (crawl === undefined) return { pages: [], next: null }
    const host = key === undefined ? undefined : (this.#parts.hosts.find(key) ?? 0)
    const from = after === undefined ? { value: '', id: host ?? 0 } : readCursor(after)
    const rows = this.#list().all({
      collection: crawl,
      afterHost: from.id,
      afterUrl: String(from.value),
      lastHost: host ?? Number.MAX_SAFE_INTEGER,
      part: part === undefined ? null : ignoreCase ? asciiLower(part) : part,
      ignoring: ignoreCase ? 1 : 0,
      limit: limit + 1,
    })
    const pages = rows.slice(0, limit)
    const last = rows.length > limit ? pages[limit - 1] : undefined
    return {
      pages: pages.map((row) => this.page(row)),
      next:
        last === undefined ? null : writeCursor({ value: last[column.url], id: last[column.host] }),
    }
  }

  count(
    { contains: part, ignoreCase = false }: AddressFilter,
    { collection, host }: { readonly collection: number; readonly host?: number },
  ): number {
    return this.#count().first({
      collection,
      firstHost: host ?? 0,
      lastHost: host ?? Number.MAX_SAFE_INTEGER,
      part: part === undefined ? null : ignoreCase ? asciiLower(part) : part,
      ignoring: ignoreCase ? 1 : 0,
    })!.pages
  }

  /** Numbers of pages and when they were created, in the order in which they were. */
  stretch(
    { collection, host }: { readonly collection: number; readonly host?: number },
    { after, limit }: { readonly after: number; readonly limit: number },
  ): (readonly [id: number, addedAt: number])[] {
    return host === undefined
      ? this.#stretch().all({ collection, after, limit })
      : this.#stretchOfQueue().all({ collection, host, after, limit })
  }

  page(row: PageRow): QueuedPage {
    const { hosts, collections } = this.#parts
    const key = hosts.nameOf(row[column.host])
    return queuedPage(pageFrom(row, collections.nameOf(row[column.collection]), key))
  }

  /** Where a queue lies; undefined where its crawl or key was never met. */
  placeOf(collection: string, key: string): Place | undefined {
    const crawl = this.#parts.crawls.find(collection)
    const host = this.#parts.hosts.find(key)
    return crawl === undefined || host === undefined ? undefined : { collection: crawl, host }
  }

  /** A queue that may be new; within a transaction that writes. */
  ensured({ collection, key }: QueueRef): Place {
    const { crawls, hosts, states } = this.#parts
    const place = { collection: crawls.ensure(collection), host: hosts.ensure(key) }
    states.ensure(place)
    return place
  }

  /** The same for many items, each queue once. */
  #ensuring(): (queue: QueueRef) => Place {
    const known = new Map<string, Place>()
    return (queue) => {
      const name = `${queue.collection}\0${queue.key}`
      const place = known.get(name) ?? this.ensured(queue)
      known.set(name, place)
      return place
    }
  }

  #grow(places: ReadonlyMap<string, Place & { readonly more: number }>): void {
    for (const { more, ...place } of places.values()) this.#parts.frontier.grow(place, more)
  }
}

function note(grown: Map<string, Place & { more: number }>, place: Place): void {
  const key = `${place.collection} ${place.host}`
  const known = grown.get(key)
  if (known === undefined) grown.set(key, { ...place, more: 1 })
  else known.more++
}

/** A page with its place among those wanted, and its lease. */
type ClaimedRow = readonly [
  at: number,
  worker: string | null,
  expires: number | null,
  dueSet: number | null,
  ...PageRow,
]

/** Hands the pages of addresses over, for lists of place, collection, host and address. */
function claimedRows(slot: SlotOf): RawBuilder<ClaimedRow> {
  const names = ['leases.worker', 'leases.expires', 'leases.due_set']
  const row = [sql`wanted.value ->> 0`, ...names.map((name) => sql.ref(name)), ...claimedColumns]
  return sql<ClaimedRow>`
    select count(${handedOver(row)}) from json_each(${slot('wanted')}) as wanted
      cross join pages on pages.collection = wanted.value ->> 1
        and pages.host = wanted.value ->> 2 and pages.url = wanted.value ->> 3
      left join leases on leases.page = pages.id`
}

/** The letters a to z alone, as SQLite's `lower` does. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether an address has a part; all have where none is asked for. */
function contains(slot: (name: string) => never): RawBuilder<boolean> {
  return sql<boolean>`(${slot('part')} is null
    or instr(iif(${slot('ignoring')} = 1, lower(url), url), ${slot('part')}) > 0)`
}
