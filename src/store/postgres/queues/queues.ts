import type {
  AddressFilter,
  DatedItem,
  GiveRequest,
  QueueAddress,
  QueuedPage,
  QueueItem,
  QueueRef,
  QueueRules,
  QueueScope,
  Queues,
  ReportedItem,
} from '../../../model/queue.js'
import type { Seconds, UnixSeconds } from '../../../model/units.js'
import type { RecordResult, VisitReport } from '../../../model/visit-record.js'
import {
  activeSetting,
  checkDates,
  checkGive,
  checkItems,
  checkRules,
  claimToken,
  delaySetting,
  noCollection,
  noLease,
  queuedPage,
  queueReports,
} from '../../queue-rules.js'
import { readCursor, writeCursor } from '../../request-checks.js'
import { Touched } from '../frontier.js'
import { hostKey, type Key } from '../keys.js'
import type { PageChanges } from '../pages.js'
import { rowsGiven, statement } from '../server/database.js'
import type { Session } from '../server/session.js'
import { Addresses, type AddressParts } from './addresses.js'
import { queueLists, type Scope } from './lists.js'
import { takeTurns } from './turns.js'

/** Addresses removed in one commit: others come in between. */
const stretch = 500

const crawls = statement(`
  select name from collections
  where queued and exists (select 1 from queues where queues.collection = collections.id)
  order by name collate "C"`)
/** Crawls without queues have nothing to give. To look for a queue costs more than to ask so few of them. */
const fewCrawls = 8
const crawlIds = statement(`
  select id from collections
  where queued and ((select count(*) from collections where queued) <= ${fewCrawls}
    or exists (select 1 from queues where queues.collection = collections.id))
  order by id`)
const setting = statement('select value from settings where collection = $1 and name = $2')
const putSetting = statement(`
  insert into settings (collection, name, value) values ($1, $2, $3)
  on conflict (collection, name) do update set value = excluded.value`)
const setRules = statement(`
  update queues set delay = case when $3 then $4 else delay end,
    blocked = case when $5 then $6 else blocked end, quota = coalesce($7::bigint, quota)
  where host = $1::bigint and collection = $2`)
/** Nobody settles a queue by the old delay meanwhile. */
const lockQueues = 'lock table queues in share row exclusive mode'
const settleAll = `
  update queues set ready = greatest(due, blocked, greatest(given, ended) + $1::float8)
  where delay is null and ready is not null`
const emptyQueues = statement(`
  select q.host::text from queues q
  where q.collection = $1 and ($2::bigint is null or q.host = $2)
    and not exists (select 1 from frontier f where f.host = q.host and f.collection = q.collection)
  limit ${stretch}`)
const removeEmpty = statement(`
  delete from queues using ${rowsGiven('$2::bigint[]')} as gone (host)
  where queues.host = gone.host and queues.collection = $1
    and not exists (select 1 from frontier f
      where f.host = queues.host and f.collection = queues.collection)`)

interface Parts extends AddressParts {
  readonly changes: PageChanges
  /** `recordVisits` of the store. */
  readonly record: (reports: readonly VisitReport[]) => Promise<readonly RecordResult[]>
}

/** Queues of a store on PostgreSQL. */
export class PostgresQueues implements Queues {
  readonly #parts: Parts
  readonly #addresses: Addresses

  constructor(parts: Parts) {
    this.#parts = parts
    this.#addresses = new Addresses(parts)
  }

  async discover(items: readonly QueueItem[], now: UnixSeconds) {
    checkItems(items)
    return this.#addresses.add(items, now)
  }

  async putDated(items: readonly DatedItem[], now: UnixSeconds) {
    checkItems(items)
    checkDates(items.map(({ due }) => due))
    await this.#addresses.put(items, now)
  }

  async claim(addresses: readonly QueueAddress[]) {
    checkItems(addresses)
    const found = await this.#addresses.claimed(addresses)
    return found.map((known, at) => {
      if (known === undefined) return null
      const token = claimToken(known.newestVisit)
      return { page: known.page, host: addresses[at]!.key, token, ...noLease }
    })
  }

  async report(items: readonly ReportedItem[], now: UnixSeconds) {
    return this.#parts.record(queueReports(items, now))
  }

  async give(request: GiveRequest) {
    checkGive(request)
    const { collection, key, now, ttl } = request
    const ids =
      collection === null ? await this.#crawlIds() : [await this.#addresses.crawl(collection)]
    const host = key === undefined ? undefined : hostKey(key)
    const expiresAt = now + ttl
    const given = await this.#parts.db.write(async (session) =>
      (await isActive(session)) ? takeTurns(session, request, { crawls: ids, host }) : [],
    )
    return Promise.all(given.map(async (each) => ({ ...(await this.#page(each)), expiresAt })))
  }

  async find(address: QueueAddress) {
    const [found] = await this.#addresses.find([address])
    return found === undefined ? null : queuedPage(found.page)
  }

  async list(query: AddressFilter & { readonly after?: string; readonly limit: number }) {
    const { after, limit } = query
    const scope = await this.#scope(query)
    if (scope === undefined) return { pages: [], next: null }
    const from = after === undefined ? 0 : readCursor(after).id
    const asked = { scope, after: from, limit: limit + 1 }
    const rows = await queueLists.addresses(this.#parts.db, query, asked)
    const some = rows.slice(0, limit)
    const last = rows.length > limit ? some.at(-1) : undefined
    return {
      pages: await Promise.all(some.map((each) => this.#page(each))),
      next: last === undefined ? null : writeCursor({ value: null, id: last.place }),
    }
  }

  async count(query: AddressFilter) {
    const scope = await this.#scope(query)
    return scope === undefined ? 0 : queueLists.count(this.#parts.db, query, scope)
  }

  async crawls() {
    const rows = await this.#parts.db.read((session) => session.rows<[string]>(crawls))
    return rows.map(([name]) => name)
  }

  async queues(query: {
    readonly collection: string
    readonly start: number
    readonly limit: number
    readonly inactive: boolean
    readonly now: UnixSeconds
  }) {
    const crawl = await this.#addresses.crawl(query.collection)
    return queueLists.queues(this.#parts.db, query, crawl)
  }

  async stats({ collection, key, now }: Partial<QueueRef> & { readonly now: UnixSeconds }) {
    const { db } = this.#parts
    if (collection === undefined) return queueLists.stats(db, undefined, now)
    const scope = await this.#scope({ collection, key })
    return queueLists.stats(db, scope ?? { collection: 0 }, now)
  }

  async setRules(queue: QueueRef, rules: QueueRules) {
    checkRules(rules)
    checkItems([{ ...queue, url: '-' }])
    const { delay, blockedUntil, limit } = rules
    const collection = await this.#addresses.ensuredCrawl(queue.collection)
    const host = hostKey(queue.key)
    await this.#parts.db.write(async (session) => {
      await this.#addresses.ensured(session, [{ item: queue, collection }])
      await session.run(setRules, [
        ...[host, collection],
        ...[delay !== undefined, delay ?? null],
        ...[blockedUntil !== undefined, blockedUntil ?? null],
        limit ?? null,
      ])
      const touched = new Touched()
      touched.add(host, collection)
      await touched.settle(session)
    })
  }

  async setDefaultDelay(delay: Seconds) {
    checkRules({ delay })
    await this.#parts.db.write(async (session) => {
      await session.once(lockQueues)
      await session.run(putSetting, [noCollection, delaySetting, JSON.stringify(delay)])
      await session.onceCounted(settleAll, [delay])
    })
  }

  async remove(of: QueueScope) {
    const removed = await this.#removeEach(of)
    const scope = await this.#scope(of)
    if (scope === undefined) return removed
    const { db, hosts } = this.#parts
    const asked = [scope.collection, scope.host ?? null]
    for (;;) {
      const rows = await db.read((session) => session.rows<[Key]>(emptyQueues, asked))
      if (rows.length === 0) return removed
      const keys = rows.map(([key]) => key)
      await db.write(async (session) => {
        await hosts.locked(session, keys)
        await session.run(removeEmpty, [scope.collection, keys])
      })
    }
  }

  async purge({ createdBefore, ...of }: QueueScope & { readonly createdBefore: UnixSeconds }) {
    return this.#removeEach(of, createdBefore)
  }

  async setActive(active: boolean) {
    await this.#parts.db.write((session) =>
      session.run(putSetting, [noCollection, activeSetting, JSON.stringify(active)]),
    )
  }

  async active() {
    return this.#parts.db.read(isActive)
  }

  /** Stretch by stretch, so that a million of them stop nobody. */
  async #removeEach(of: QueueScope, createdBefore = Infinity): Promise<number> {
    const { db, changes } = this.#parts
    const scope = await this.#scope(of)
    if (scope === undefined) return 0
    let removed = 0
    for (let after = 0; ; ) {
      const pages = await queueLists.stretch(db, scope, { after, limit: stretch })
      const last = pages.at(-1)
      if (last === undefined) return removed
      after = last.place
      const gone = pages.filter(({ addedAt }) => addedAt < createdBefore)
      removed += await changes.remove(gone.map(({ id }) => ({ id })))
    }
  }

  async #crawlIds(): Promise<number[]> {
    const rows = await this.#parts.db.read((session) => session.rows<[number]>(crawlIds))
    return rows.map(([id]) => id)
  }

  async #page({ row, key }: { readonly row: FoundRow; readonly key: string }): Promise<QueuedPage> {
    return queuedPage(await this.#addresses.page(row, key))
  }

  async #scope({
    collection,
    key,
  }: {
    readonly collection: string
    readonly key?: string | undefined
  }): Promise<Scope | undefined> {
    const crawl = await this.#addresses.crawl(collection)
    if (crawl === 0) return undefined
    return key === undefined ? { collection: crawl } : { collection: crawl, host: hostKey(key) }
  }
}

type FoundRow = Parameters<Addresses['page']>[0]

async function isActive(session: Session): Promise<boolean> {
  return (await session.first<[string]>(setting, [noCollection, activeSetting]))?.[0] !== 'false'
}
