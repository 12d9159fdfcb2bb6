import type { PageRecord } from '../../../model/page.js'
import type { DatedItem, QueueAddress, QueueItem, QueueRef } from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import { pageFrom } from '../../page-row.js'
import { notACrawl } from '../../queue-rules.js'
import { column, type PageRow } from '../../schema.js'
import { columnsOfPage, type FoundPage, leasesOfPages, whichLeases } from '../due-pages.js'
import { Touched } from '../frontier.js'
import type { Collections, Hosts, LockedHost } from '../hosts.js'
import { hostKey, type Key, keyOf, keyTaken, pageId } from '../keys.js'
import type { Pages } from '../pages.js'
import { type Database, rowsGiven, type Statement, statement } from '../server/database.js'
import { type Session, together } from '../server/session.js'
import { isOfQueue } from './settle.js'

/** A collection with pages of its own is none; those who add pages hold its row. */
const lockCollection = statement('select queued from collections where id = $1 for no key update')
const mark = statement(`
  update collections set queued = true where id = $1
    and not exists (select 1 from frontier where frontier.collection = $1)`)

const addQueues = statement(`
  insert into queues (host, collection)
  select * from ${rowsGiven('$1::bigint[], $2::int[]')} as fresh (host, collection)
  on conflict do nothing`)

/** Addresses that are there, with where they lie. */
const locate = statement(`
  select wanted.place::int, p.page, p.url
  from ${rowsGiven('$1::bigint[], $2::bigint[], $3::int[]', 'with ordinality')}
      as wanted (host, url_key, collection, place)
    cross join lateral (
      select page, url from pages where pages.host = wanted.host
        and pages.url_key = wanted.url_key and pages.collection + 0 = wanted.collection
      offset 0) as p`)

const whole = (columns: string) =>
  statement(`
  select wanted.place::int, ${columns}
  from ${rowsGiven('$1::bigint[], $2::bigint[], $3::int[], $4::text[]', 'with ordinality')}
      as wanted (host, url_key, collection, url, place)
    cross join lateral (
      select * from pages where pages.host = wanted.host and pages.url_key = wanted.url_key
        and pages.collection + 0 = wanted.collection and pages.url = wanted.url offset 0) as p
    cross join lateral (
      select * from page_states
      where page_states.host = p.host and page_states.page = p.page offset 0) as s`)
const wholeWithMetadata = whole(columnsOfPage)
/** A report brings metadata of its own. */
const wholeForReport = whole(columnsOfPage.replace('s.metadata', 'null'))

const date = statement(`
  update page_states set due = fresh.due, reason = fresh.reason, metadata = fresh.metadata
  from ${rowsGiven('$1::bigint[], $2::bigint[], $3::float8[], $4::text[], $5::text[]')}
    as fresh (host, page, due, reason, metadata)
  where page_states.host = fresh.host and page_states.page = fresh.page`)

const endLeases = statement(`
  delete from leases l using ${leasesOfPages()} where ${whichLeases} and ${isOfQueue}
  returning l.host::text, l.collection, l.expires`)

export interface AddressParts {
  readonly db: Database
  readonly hosts: Hosts
  readonly pages: Pages
  readonly collections: Collections
}

/** An item and where it lies. */
interface Placed<I extends QueueAddress> {
  readonly item: I
  readonly host: Key
  readonly urlKey: Key
  readonly collection: number
}

/** A page of a queue, with the number of its newest visit. */
export interface FoundAddress {
  readonly page: PageRecord
  readonly newestVisit: number | null
}

/** Addresses of queues: added, scheduled by a client's date, and found again. */
export class Addresses {
  readonly #parts: AddressParts

  constructor(parts: AddressParts) {
    this.#parts = parts
  }

  /** Of each whether it was added. */
  async add(items: readonly QueueItem[], now: UnixSeconds): Promise<boolean[]> {
    if (items.length === 0) return []
    const placed = await this.#placed(items)
    return this.#parts.db.write(async (session) => {
      const hosts = await this.ensured(session, placed)
      const known = await located(session, placed)
      const names = new Set(known.keys())
      const isFresh = placed.map((each) => {
        const name = nameOf(each)
        return names.size < names.add(name).size
      })
      const fresh = placed.filter((_, at) => isFresh[at])
      const pages = fresh.map(({ item: { url, metadata }, host, collection }) => ({
        ...{ page: { url, metadata }, host, collection },
      }))
      await this.#parts.pages.insert(session, { pages, hosts, now })
      return isFresh
    })
  }

  async put(items: readonly DatedItem[], now: UnixSeconds): Promise<void> {
    if (items.length === 0) return
    const placed = await this.#placed(items)
    // The last of an address counts.
    const each = [...new Map(placed.map((one) => [nameOf(one), one])).values()]
    await this.#parts.db.write(async (session) => {
      const hosts = await this.ensured(session, each)
      const known = await located(session, each)
      const fresh = each.filter((one) => !known.has(nameOf(one)))
      const pages = fresh.map(({ item: { url, metadata, due, reason }, host, collection }) => ({
        ...{ page: { url, metadata, due: { at: due, reason } }, host, collection },
      }))
      await this.#parts.pages.insert(session, { pages, hosts, now })
      const there = each.filter((one) => known.has(nameOf(one)))
      if (there.length > 0) await replaced(session, there, { known, now })
    })
  }

  /** Those that are there, in the order given. */
  async find(items: readonly QueueAddress[]): Promise<(FoundAddress | undefined)[]> {
    return this.#whole(wholeWithMetadata, items)
  }

  /** The same without metadata. */
  async claimed(items: readonly QueueAddress[]): Promise<(FoundAddress | undefined)[]> {
    return this.#whole(wholeForReport, items)
  }

  async #whole(
    pages: Statement,
    items: readonly QueueAddress[],
  ): Promise<(FoundAddress | undefined)[]> {
    const found: (FoundAddress | undefined)[] = items.map(() => undefined)
    const placed = await this.#known(items)
    if (placed.length === 0) return found
    type Row = readonly [number, ...FoundPage]
    const rows = await this.#parts.db.read((session) =>
      session.rows<Row>(pages, [...placesOf(placed), placed.map(({ item }) => item.url)]),
    )
    for (const [place, ...row] of rows) {
      const { item, at } = placed[place - 1]!
      const page = await this.page(row, item.key)
      const newestVisit = (row as unknown as PageRow)[column.newest_visit]
      found[at] = { page, newestVisit }
    }
    return found
  }

  async page(row: FoundPage, key: string): Promise<PageRecord> {
    const pageRow = row as unknown as PageRow
    const id = pageId({ host: row.at(-1) as Key, page: pageRow[column.id] })
    const collection = await this.#parts.collections.nameOf(pageRow[column.collection])
    return pageFrom(pageRow, collection, key, id)
  }

  /** The number of a crawl; 0 where there is none of that name. */
  async crawl(name: string): Promise<number> {
    const { collections } = this.#parts
    const id = await collections.find(name)
    return id !== 0 && (await collections.isCrawl(id)) ? id : 0
  }

  /** The same, new if need be. Refuses a collection that has pages of its own. */
  async ensuredCrawl(name: string): Promise<number> {
    const { collections, db } = this.#parts
    const id = await collections.ensure(name)
    if (await collections.isCrawl(id)) return id
    await db.write(async (session) => {
      const [isQueued] = (await session.first<[boolean]>(lockCollection, [id]))!
      if (!isQueued && (await session.run(mark, [id])) === 0) throw notACrawl(name)
    })
    collections.noteCrawl(id)
    return id
  }

  /** Locks queues, new if need be. */
  async ensured(
    session: Session,
    queues: readonly { readonly item: QueueRef; readonly collection: number }[],
  ): Promise<Map<Key, LockedHost>> {
    const hosts = await this.#parts.hosts.ensured(
      session,
      queues.map(({ item }) => item.key),
    )
    const places = new Map(
      queues.map(({ item, collection }) => {
        const host = hostKey(item.key)
        return [`${host} ${collection}`, { host, collection }]
      }),
    )
    const each = [...places.values()]
    await session.run(addQueues, [
      each.map(({ host }) => host),
      each.map(({ collection }) => collection),
    ])
    return hosts
  }

  async #placed<I extends QueueAddress>(items: readonly I[]): Promise<Placed<I>[]> {
    const crawls = new Map<string, number>()
    for (const { collection } of items)
      if (!crawls.has(collection)) crawls.set(collection, await this.ensuredCrawl(collection))
    return items.map((item) => placedAt(item, crawls.get(item.collection)!))
  }

  /** Those whose crawl there is, with their places among all. */
  async #known<I extends QueueAddress>(items: readonly I[]) {
    const crawls = new Map<string, number>()
    for (const { collection } of items)
      if (!crawls.has(collection)) crawls.set(collection, await this.crawl(collection))
    return items.flatMap((item, at) => {
      const collection = crawls.get(item.collection)!
      return collection === 0 ? [] : [{ ...placedAt(item, collection), at }]
    })
  }
}

function placedAt<I extends QueueAddress>(item: I, collection: number): Placed<I> {
  return { item, host: hostKey(item.key), urlKey: keyOf(item.url), collection }
}

function nameOf({ host, urlKey, collection }: Placed<QueueAddress>): string {
  return `${host} ${urlKey} ${collection}`
}

function placesOf(placed: readonly Placed<QueueAddress>[]) {
  return [
    placed.map(({ host }) => host),
    placed.map(({ urlKey }) => urlKey),
    placed.map(({ collection }) => collection),
  ]
}

/** Numbers of the pages that are there, by the names of their places. */
async function located(
  session: Session,
  placed: readonly Placed<QueueAddress>[],
): Promise<Map<string, number>> {
  type Row = readonly [place: number, page: number, url: string]
  const rows = await session.rows<Row>(locate, placesOf(placed))
  return new Map(
    rows.map(([place, page, url]) => {
      const each = placed[place - 1]!
      if (each.item.url !== url) throw keyTaken('address', each.item.url, url)
      return [nameOf(each), page]
    }),
  )
}

/** Known items in the place of what is stored; their leases end. */
async function replaced(
  session: Session,
  placed: readonly Placed<DatedItem>[],
  { known, now }: { readonly known: ReadonlyMap<string, number>; readonly now: UnixSeconds },
): Promise<void> {
  const places = [placed.map(({ host }) => host), placed.map((one) => known.get(nameOf(one))!)]
  const items = placed.map(({ item }) => item)
  type Ended = readonly [host: Key, collection: number, expires: number]
  const [, ended] = await together([
    session.run(date, [
      ...places,
      items.map(({ due }) => (due === 'never' ? null : due)),
      items.map(({ reason }) => reason),
      items.map(({ metadata }) => JSON.stringify(metadata)),
    ]),
    session.rows<Ended>(endLeases, places),
  ])
  const touched = new Touched()
  for (const { host, collection } of placed) touched.add(host, collection)
  for (const [host, collection, expires] of ended)
    touched.add(host, collection, { ended: Math.min(now, expires) })
  await touched.settle(session)
}
