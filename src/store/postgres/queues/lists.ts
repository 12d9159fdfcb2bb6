import {
  type AddressFilter,
  type QueueStats,
  type QueueSummary,
  queueWorker,
} from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import { columnsOfPage, type FoundPage, queueKey } from '../due-pages.js'
import { type Key, type PageKey, pageId } from '../keys.js'
import { Conditions } from '../page-lists.js'
import type { Database } from '../server/database.js'
import type { Session } from '../server/session.js'
import { isOfQueue } from './settle.js'

/** A crawl, or one queue of it. */
export interface Scope {
  readonly collection: number
  readonly host?: Key
}

const completed = `(select count(*) from page_states s
  where s.host = q.host and s.collection = q.collection and s.due is null)`
const inProcess = (now: string) => `(select count(*) from leases l
  where l.host = q.host and l.collection = q.collection and ${isOfQueue}
    and l.expires > ${now})`
const withAddresses = 'queues q join frontier f on f.host = q.host and f.collection = q.collection'
const isShown = 'q.collection = $1 and ($2 or f.due <= $3 or q.in_flight > 0)'

const total = `select count(*) as total from ${withAddresses} where ${isShown}`
const summaries = `
  select h.name as key, f.pages as addresses, ${inProcess('$3')} as "inProcess",
    ${completed} as completed, q.delay, q.blocked, q.quota, q.given
  from ${withAddresses} join hosts h on h.key = q.host
  where ${isShown} order by h.name collate "C" limit $4 offset $5`

type SummaryRow = Pick<QueueSummary, 'key' | 'addresses' | 'inProcess' | 'completed'> & {
  readonly delay: number | null
  readonly blocked: number | null
  readonly quota: number
  readonly given: number | null
}

/** Queues by key, and sums over them. Reads one row a queue; addresses of those that it gives. */
export const queueLists = {
  async queues(
    db: Database,
    query: {
      readonly collection: string
      readonly start: number
      readonly limit: number
      readonly inactive: boolean
      readonly now: UnixSeconds
    },
    crawl: number,
  ): Promise<{ queues: QueueSummary[]; total: number }> {
    const { collection, inactive, now, limit, start } = query
    const shown = [crawl, inactive, now]
    return db.readTogether(async (session) => {
      const rows = await session.once<SummaryRow>(summaries, [...shown, limit, start])
      const [sum] = await session.once<{ total: number }>(total, shown)
      const queues = rows.map(({ delay, blocked, quota, given, ...row }) => ({
        collection,
        ...row,
        rules: { delay, blockedUntil: blocked, limit: quota },
        lastGiven: given,
      }))
      return { queues, total: sum!.total }
    })
  },

  /** Of a queue, a crawl, or (no scope) all of them. */
  async stats(db: Database, scope: Scope | undefined, now: UnixSeconds): Promise<QueueStats> {
    const where = new Conditions().add('true')
    const leased = new Conditions().add('l.worker = ? and l.expires > ?', queueWorker, now)
    if (scope !== undefined) {
      where.add('q.collection = ?', scope.collection)
      leased.add('l.collection = ?', scope.collection)
    }
    if (scope?.host !== undefined) {
      where.add('q.host = ?::bigint', scope.host)
      leased.add('l.host = ?::bigint', scope.host)
    }
    return db.readTogether(async (session) => {
      const [sum] = await session.once<Omit<QueueStats, 'inProcess'>>(
        `select coalesce(sum(f.pages), 0)::bigint as addresses, count(*) as queues,
           coalesce(sum(${completed}), 0)::bigint as completed
         from ${withAddresses} where ${where.text}`,
        where.values,
      )
      const [leases] = await session.once<{ inProcess: number }>(
        `select count(*) as "inProcess" from leases l where ${leased.text}`,
        leased.values,
      )
      return { ...sum!, ...leases! }
    })
  },

  async count(db: Database, filter: AddressFilter, scope: Scope): Promise<number> {
    const where = filtered(filter, scope)
    const [row] = await db.readTogether((session) =>
      session.once<{ pages: number }>(
        `select count(*) as pages from pages p where ${where.text}`,
        where.values,
      ),
    )
    return row!.pages
  },

  /** Whole pages in the order in which they were created, each with its key and its place in that order. */
  async addresses(
    db: Database,
    filter: AddressFilter,
    {
      scope,
      after,
      limit,
    }: { readonly scope: Scope; readonly after: number; readonly limit: number },
  ) {
    const order = scope.host === undefined ? 'p.number' : 'p.page'
    const where = filtered(filter, scope).add(`${order} > ?::bigint`, after)
    const text = `select ${columnsOfPage}, ${queueKey}, ${order}
      from (select * from pages p where ${where.text} order by ${order} limit ${Math.floor(limit)}) as p
        join page_states s on s.host = p.host and s.page = p.page order by ${order}`
    const work = (session: Session) => session.onceArrays<readonly unknown[]>(text, where.values)
    // Along the index, however little the server knows yet of a crawl that grows.
    const rows = await (filter.contains === undefined ? db.read(work) : db.readTogether(work))
    return rows.map((row) => ({
      row: row.slice(0, -2) as unknown as FoundPage,
      key: row.at(-2) as string,
      place: row.at(-1) as number,
    }))
  },

  /** Ids of pages and when they were created, in the same order. */
  async stretch(
    db: Database,
    scope: Scope,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<{ id: string; addedAt: UnixSeconds; place: number }[]> {
    const order = scope.host === undefined ? 'p.number' : 'p.page'
    const where = filtered({}, scope).add(`${order} > ?::bigint`, after)
    type Row = readonly [...Parameters<typeof idOf>, number, number]
    const rows = await db.read((session) =>
      session.onceArrays<Row>(
        `select p.host::text, p.page, p.added_at, ${order} from pages p
         where ${where.text} order by ${order} limit ${limit}`,
        where.values,
      ),
    )
    return rows.map(([host, page, addedAt, place]) => ({ id: idOf(host, page), addedAt, place }))
  },
}

function idOf(host: Key, page: PageKey['page']): string {
  return pageId({ host, page })
}

function filtered(
  { contains, ignoreCase = false }: Pick<AddressFilter, 'contains' | 'ignoreCase'>,
  { collection, host }: Scope,
): Conditions {
  const where = new Conditions().add('p.collection = ?', collection)
  if (host !== undefined) where.add('p.host = ?::bigint', host)
  if (contains === undefined) return where
  return ignoreCase
    ? where.add('strpos(lower(p.url collate "C"), lower(?::text collate "C")) > 0', contains)
    : where.add('strpos(p.url, ?) > 0', contains)
}
