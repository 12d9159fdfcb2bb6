import {
  type ChangedPage,
  hostOf,
  type NewPage,
  type PageChange,
  type PageRecord,
  type PageRef,
  pageUrl,
} from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import { packNumbers } from '../packed-numbers.js'
import { addedCells, addedColumns, changedCells, pageFrom } from '../page-row.js'
import { isACrawl } from '../queue-rules.js'
import { checkChange, checkedPages } from '../request-checks.js'
import { type Cell, column, type PageColumn, type PageRow, pageColumns } from '../schema.js'
import {
  columnsOfPage,
  endLeases,
  type FoundPage,
  factColumns,
  leasesOfPages,
  queueKey,
  whichLeases,
  wholePages,
} from './due-pages.js'
import { frontier, type Growth, Touched } from './frontier.js'
import type { Collections, Hosts, LockedHost } from './hosts.js'
import { hostKey, type Key, keyOf, keyTaken, type PageKey, pageId, pageKey } from './keys.js'
import { serverType } from './server/column-types.js'
import { type Database, rowsGiven, statement } from './server/database.js'
import { type Session, together, type Value } from './server/session.js'
import { snapshots } from './snapshots.js'
import { removeVisits } from './visits.js'

/** From so many rows on COPY takes less time than a statement. */
const manyRows = 500

/** By id or by address, in the order given. */
const locate = statement(`
  select found.host::text, found.page, wanted.place::int
  from ${rowsGiven('$1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::text[]', 'with ordinality')}
    as wanted (host, page, url_host, url_key, collection, url, place)
    cross join lateral (
      select s.host, s.page from page_states s
      where s.host = wanted.host and s.page = wanted.page
      union all
      select p.host, p.page from pages p
      where p.host = wanted.url_host and p.url_key = wanted.url_key
        and p.collection + 0 = wanted.collection and p.url = wanted.url
      offset 0) as found
  order by wanted.place`)
const findAll = statement(`
  select pages.url from ${rowsGiven('$1::bigint[], $2::bigint[]')} as wanted (host, url_key)
    cross join lateral (
      select url from pages where pages.host = wanted.host and pages.collection + 0 = $3
        and pages.url_key = wanted.url_key offset 0) as pages`)
const ofCrawl = statement(`
  select host::text, page from pages
  where collection = $1 and left(url, 200) collate "C" = left($2, 200) and url = $2
  order by number limit 1`)
/** For as long as pages are added: a collection does not become a crawl meanwhile. */
const heldCollection = statement('select queued from collections where id = $1 for share')
const whole = statement(
  `select ${queueKey}, ${columnsOfPage} from (values ($1::bigint, $2::bigint)) as chosen (host, page) ${wholePages}`,
)
const lastToken = statement(
  'select last_token from page_states where host = $1::bigint and page = $2',
)
const lastPages = statement(`
  update hosts set last_page = grown.last_page
  from ${rowsGiven('$1::bigint[], $2::bigint[]')} as grown (key, last_page) where hosts.key = grown.key`)

/** Columns of a new page in each table, with where its value comes from. */
const factTable = {
  table: 'pages',
  columns: ['host', 'page', 'url_key', ...addedColumns.filter((name) => factColumns.has(name))],
}
const stateTable = {
  table: 'page_states',
  columns: [
    ...['host', 'page', 'collection'],
    ...addedColumns.filter((name) => !factColumns.has(name) && name !== 'host'),
  ],
}
const types = new Map(pageColumns.map(([name, type]) => [name as string, serverType(type)]))

function inserted({ table, columns }: typeof factTable) {
  // Those that no record has are parts of keys.
  const slots = columns.map((name, at) => `$${at + 1}::${types.get(name) ?? 'bigint'}[]`)
  return statement(
    `insert into ${table} (${columns.join(', ')}) select * from unnest(${slots.join(', ')})`,
  )
}
const insertFacts = inserted(factTable)
const insertStates = inserted(stateTable)

/** Where an address would lie. */
interface UrlPlace {
  readonly host: Key
  readonly urlKey: Key
  readonly collection: number
  readonly url: string
}

interface Wanted {
  readonly key?: PageKey
  readonly place?: UrlPlace
}

/** No page and no address are there. */
const nowhere: PageKey = { host: '0', page: 0 }
const noPlace: UrlPlace = { host: '0', urlKey: '0', collection: 0, url: '' }

/** A new page and where it is to lie. */
export interface PlacedPage {
  readonly page: NewPage
  readonly host: Key
  readonly collection: number
}

/** A new page under way to the store. */
interface Fresh extends PageKey {
  readonly urlKey: Key
  readonly cells: ReadonlyMap<string, Cell>
}

/** Pages: added, and found again. */
export class Pages {
  readonly #db: Database
  readonly #hosts: Hosts
  readonly #collections: Collections

  constructor(parts: {
    readonly db: Database
    readonly hosts: Hosts
    readonly collections: Collections
  }) {
    this.#db = parts.db
    this.#hosts = parts.hosts
    this.#collections = parts.collections
  }

  async add(request: {
    readonly collection: string
    readonly pages: readonly NewPage[]
    readonly now: UnixSeconds
  }): Promise<{ added: number; already: number }> {
    const pages = checkedPages(request.pages)
    const collection = await this.#collections.ensure(request.collection)
    const byUrl = new Map<string, NewPage>()
    for (const page of pages) if (!byUrl.has(page.url)) byUrl.set(page.url, page)
    if (byUrl.size === 0) return { added: 0, already: 0 }
    const added = await this.#db.write(async (session) => {
      const [isQueued] = (await session.first<[boolean]>(heldCollection, [collection]))!
      if (isQueued) throw isACrawl(request.collection)
      const names = Array.from(byUrl.keys(), hostOf)
      const hosts = await this.#hosts.ensured(session, names)
      const missing = await this.#missing(session, { byUrl, collection })
      const placed = missing.map((page) => ({ page, host: hostKey(hostOf(page.url)), collection }))
      await this.insert(session, { pages: placed, hosts, now: request.now })
      return missing.length
    })
    return { added, already: pages.length - added }
  }

  async locate(page: PageRef): Promise<PageKey | undefined> {
    const [found] = await this.locateAll([page])
    return found
  }

  /** Where pages lie, each once, in the order given; those that are not there are left out. */
  async locateAll(pages: readonly PageRef[]): Promise<PageKey[]> {
    const found = await this.locateEach(pages)
    const known = found.flatMap((key) => (key === undefined ? [] : [key]))
    return [...new Map(known.map((key) => [pageId(key), key])).values()]
  }

  /** The same with a place for each, undefined where there is no such page. */
  async locateEach(pages: readonly PageRef[]): Promise<(PageKey | undefined)[]> {
    const asked = await Promise.all(pages.map((page) => this.#wanted(page)))
    const found: (PageKey | undefined)[] = pages.map(() => undefined)
    if (asked.every((each) => each === undefined)) return found
    const byId = asked.map((each) => each?.key ?? nowhere)
    const byUrl = asked.map((each) => each?.place ?? noPlace)
    const rows = await this.#db.read((session) =>
      session.rows<readonly [Key, number, number]>(locate, [
        byId.map(({ host }) => host),
        byId.map(({ page }) => page),
        byUrl.map(({ host }) => host),
        byUrl.map(({ urlKey }) => urlKey),
        byUrl.map(({ collection }) => collection),
        byUrl.map(({ url }) => url),
      ]),
    )
    for (const [host, page, place] of rows) found[place - 1] = { host, page }
    return found
  }

  /** By its id, or by where its address would lie; undefined where there can be none. */
  async #wanted(page: PageRef): Promise<Wanted | undefined> {
    if ('id' in page) {
      const key = pageKey(page.id)
      return key === undefined ? undefined : { key }
    }
    const collection = await this.#collections.find(page.collection)
    if (collection !== 0 && (await this.#collections.isCrawl(collection))) {
      // As it was sent, in whichever queue.
      const asked = [collection, page.url]
      const row = await this.#db.read((session) => session.first<[Key, number]>(ofCrawl, asked))
      return row === undefined ? undefined : { key: { host: row[0], page: row[1] } }
    }
    const url = pageUrl(page.url)
    if (collection === 0) return undefined
    return { place: { host: hostKey(hostOf(url)), urlKey: keyOf(url), collection, url } }
  }

  async get(page: PageRef): Promise<PageRecord | null> {
    const key = 'id' in page ? pageKey(page.id) : await this.locate(page)
    if (key === undefined) return null
    return this.#db.read((session) => this.read(session, key))
  }

  async read(session: Session, { host, page }: PageKey): Promise<PageRecord | null> {
    type Row = readonly [key: string | null, ...FoundPage]
    const row = await session.first<Row>(whole, [host, page])
    if (row === undefined) return null
    const [key, ...found] = row
    return this.record(found, key, session)
  }

  /** With the key of its queue, where it is of a crawl. */
  async record(row: FoundPage, key: string | null, session?: Session): Promise<PageRecord> {
    const pageRow = row as unknown as PageRow
    const id = pageId({ host: row.at(-1) as Key, page: pageRow[column.id] })
    const collection = await this.#collections.nameOf(pageRow[column.collection], session)
    return pageFrom(pageRow, collection, key ?? undefined, id)
  }

  /** Of the lease under which its last visit was recorded; null before there is any. */
  async lastToken(id: string): Promise<number | null> {
    const key = pageKey(id)
    if (key === undefined) return null
    const row = await this.#db.read((session) =>
      session.first<[number | null]>(lastToken, [key.host, key.page]),
    )
    return row?.[0] ?? null
  }

  /** Those that the collection does not have yet; their hosts are locked, so that nobody else adds them. */
  async #missing(
    session: Session,
    { byUrl, collection }: { byUrl: ReadonlyMap<string, NewPage>; collection: number },
  ): Promise<NewPage[]> {
    const urls = new Map(Array.from(byUrl.keys(), (url) => [`${hostOf(url)} ${keyOf(url)}`, url]))
    const all = [...byUrl.keys()]
    const values = [all.map((url) => hostKey(hostOf(url))), all.map(keyOf), collection]
    const there = new Set<string>()
    for (const [url] of await session.rows<[string]>(findAll, values)) {
      const wanted = urls.get(`${hostOf(url)} ${keyOf(url)}`)
      if (wanted !== undefined && wanted !== url) throw keyTaken('address', wanted, url)
      there.add(url)
    }
    return all.filter((url) => !there.has(url)).map((url) => byUrl.get(url)!)
  }

  /** Pages that are not there, of hosts that are locked. */
  async insert(
    session: Session,
    {
      pages,
      hosts,
      now,
    }: {
      readonly pages: readonly PlacedPage[]
      readonly hosts: ReadonlyMap<Key, LockedHost>
      readonly now: UnixSeconds
    },
  ): Promise<void> {
    if (pages.length === 0) return
    const last = new Map<Key, number>()
    const grown = new Map<string, Growth>()
    const touched = new Touched()
    const fresh = pages.map(({ page, host, collection }): Fresh => {
      const { number, lastPage } = hosts.get(host)!
      const next = (last.get(host) ?? lastPage) + 1
      last.set(host, next)
      const place = `${host} ${collection}`
      grown.set(place, { host, collection, number, pages: (grown.get(place)?.pages ?? 0) + 1 })
      touched.add(host, collection)
      const cells = addedCells(page, { collection, host: 0, now })
      const named = new Map(addedColumns.map((name, at) => [name as string, cells[at]!]))
      return { host, page: next, urlKey: keyOf(page.url), cells: named }
    })
    await session.run(lastPages, [[...last.keys()], [...last.values()]])
    await written(session, { ...factTable, insert: insertFacts }, fresh)
    await written(session, { ...stateTable, insert: insertStates }, fresh)
    await frontier.grow(session, [...grown.values()])
    await touched.settle(session)
  }
}

async function written(
  session: Session,
  into: typeof factTable & { readonly insert: typeof insertFacts },
  fresh: readonly Fresh[],
): Promise<void> {
  const value = (page: Fresh, name: string): Value => {
    if (name === 'host') return page.host
    if (name === 'page') return page.page
    if (name === 'url_key') return page.urlKey
    return page.cells.get(name) as Value
  }
  const { columns, insert } = into
  if (fresh.length >= manyRows)
    await session.copy(
      into,
      fresh.map((page) => columns.map((name) => value(page, name))),
    )
  else
    await session.run(
      insert,
      columns.map((name) => fresh.map((page) => value(page, name))),
    )
}

const overrule = statement(`
  update leases l set due_set = true from ${leasesOfPages()} where ${whichLeases}`)
/** Pages first: a change that is being written for one holds its row, and is waited for. */
const deleted = [
  endLeases,
  ...['pages', 'changes', 'page_states'].map((table) =>
    statement(
      `delete from ${table} using ${rowsGiven('$1::bigint[], $2::bigint[]')} as gone (host, page)
       where ${table}.host = gone.host and ${table}.page = gone.page`,
    ),
  ),
]
const placesOf = statement(`
  select s.host::text, s.page, s.collection
  from ${rowsGiven('$1::bigint[], $2::bigint[]')} as wanted (host, page)
    cross join lateral (
      select * from page_states where page_states.host = wanted.host
        and page_states.page = wanted.page offset 0) as s`)

type PlaceRow = readonly [host: Key, page: number, collection: number]

interface LocatedChange {
  readonly key: PageKey
  readonly change: PageChange
}

/** Pages changed by hand, and taken away with all that belongs to them. */
export class PageChanges {
  readonly #db: Database
  readonly #hosts: Hosts
  readonly #pages: Pages

  constructor(parts: { readonly db: Database; readonly hosts: Hosts; readonly pages: Pages }) {
    this.#db = parts.db
    this.#hosts = parts.hosts
    this.#pages = parts.pages
  }

  async change(page: PageRef, change: PageChange): Promise<PageRecord | null> {
    checkChange(change)
    const key = await this.#pages.locate(page)
    if (key === undefined) return null
    return this.#db.write(async (session) => {
      const steps = this.#written(session, [{ key, change }])
      const [record] = await together([this.#pages.read(session, key), ...steps])
      return record
    })
  }

  async changeAll(changes: readonly ChangedPage[]): Promise<number> {
    for (const { change } of changes) checkChange(change)
    const keys = await this.#pages.locateEach(changes.map(({ page }) => page))
    const found = changes.flatMap(({ change }, at) => {
      const key = keys[at]
      return key === undefined ? [] : [{ key, change }]
    })
    if (found.length === 0) return 0
    return this.#db.write(async (session) => {
      await together(this.#written(session, found))
      return found.length
    })
  }

  /** Sent together, and done one after the other: none needs the answer of the one before. */
  #written(session: Session, changes: readonly LocatedChange[]): Promise<unknown>[] {
    const rows = changes.map(({ key, change }) => {
      const cells = Object.entries(changedCells(change)) as [PageColumn, Cell][]
      const isFact = ([name]: readonly [PageColumn, Cell]) => factColumns.has(name)
      return { key, facts: cells.filter(isFact), learned: cells.filter((each) => !isFact(each)) }
    })
    const due = changes.filter(({ change }) => change.due !== undefined).map(({ key }) => key)
    const touched = new Touched()
    for (const { host } of due) touched.add(host)
    return [
      this.#hosts.locked(
        session,
        changes.map(({ key }) => key.host),
      ),
      ...changed(
        session,
        'pages',
        rows.map(({ key, facts }) => ({ key, cells: facts })),
      ),
      ...changed(
        session,
        'page_states',
        rows.map(({ key, learned }) => ({ key, cells: learned })),
      ),
      ...(due.length === 0
        ? []
        : [session.run(overrule, placesAmong(due)), touched.settle(session)]),
    ]
  }

  async remove(refs: readonly PageRef[]): Promise<number> {
    const keys = await this.#pages.locateAll(refs)
    if (keys.length === 0) return 0
    return this.#db.write(async (session) => {
      const hosts = await this.#hosts.locked(
        session,
        keys.map(({ host }) => host),
      )
      const wanted = [keys.map(({ host }) => host), keys.map(({ page }) => page)]
      const rows = await session.rows<PlaceRow>(placesOf, wanted)
      const places = [rows.map(([host]) => host), rows.map(([, page]) => page)] as const
      await removeVisits(session, places)
      await snapshots.removeAll(session, places)
      for (const each of deleted) await session.run(each, [...places])
      const fewer = new Map<string, Growth>()
      const touched = new Touched()
      for (const [host, , collection] of rows) {
        const { number } = hosts.get(host)!
        const place = `${host} ${collection}`
        fewer.set(place, { host, collection, number, pages: (fewer.get(place)?.pages ?? 0) - 1 })
        touched.add(host, collection)
      }
      await frontier.grow(session, [...fewer.values()])
      await touched.settle(session)
      await frontier.dropEmpty(session, [...hosts.keys()])
      return rows.length
    })
  }
}

function placesAmong(keys: readonly PageKey[]): [Key[], number[]] {
  return [keys.map(({ host }) => host), keys.map(({ page }) => page)]
}

interface ChangedRow {
  readonly key: PageKey
  readonly cells: readonly (readonly [PageColumn, Cell])[]
}

/** A statement for each set of columns: pages that are changed together mostly have one. */
function changed(session: Session, table: string, rows: readonly ChangedRow[]): Promise<number>[] {
  const sets = new Map<string, ChangedRow[]>()
  for (const row of rows) {
    const names = row.cells.map(([name]) => name).join()
    if (names === '') continue
    const same = sets.get(names)
    if (same === undefined) sets.set(names, [row])
    else same.push(row)
  }
  return Array.from(sets.values(), (same) => {
    const names = same[0]!.cells.map(([name]) => name)
    const given = names.map((name) => types.get(name)!)
    const slots = ['bigint', 'bigint', ...given].map((type, at) => `$${at + 1}::${type}[]`)
    const text = `
      update ${table} set ${names.map((name) => `${name} = fresh.${name}`).join(', ')}
      from ${rowsGiven(slots.join(', '))} as fresh (host, page, ${names.join(', ')})
      where ${table}.host = fresh.host and ${table}.page = fresh.page`
    return session.run(statement(text), [
      ...placesAmong(same.map(({ key }) => key)),
      ...names.map((_, at) => same.map(({ cells }) => serverCell(cells[at]![1]))),
    ])
  })
}

/** A cell as the server takes it: numbers of a learner are packed. */
export function serverCell(cell: Cell): Value {
  return cell instanceof Float64Array ? packNumbers(cell) : cell
}
