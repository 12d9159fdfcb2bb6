import { type RawBuilder, sql } from 'kysely'
import type { LeaseRequest } from '../../model/lease.js'
import { queueWorker } from '../../model/queue.js'
import { column, type PageRow, pageColumns } from '../schema.js'
import type { Database } from './file/database.js'
import { handedOver, type SlotOf } from './file/statement.js'

/**
 * The worker of leases that queues gave, written out: an index has these alone,
 * and SQLite would plan a statement with a slot there anew each time it runs.
 */
export const ofQueues = sql.lit(queueWorker)

/** How many leases of other workers count, and how many have run out. */
export function othersLeases(slot: SlotOf): RawBuilder<readonly [number, number]> {
  return sql<readonly [number, number]>`
    select total(expires > ${slot('now')}), total(expires <= ${slot('now')})
    from leases where worker <> ${slot('worker')}`
}

/** Hosts of which another worker let a lease run out after their record was last fenced. */
export function hostsLeft(slot: SlotOf): RawBuilder<readonly [number]> {
  return sql<readonly [number]>`
    select distinct leases.host from leases join hosts on hosts.id = leases.host
    where leases.worker <> ${slot('worker')} and leases.expires <= ${slot('now')}
      and leases.token >= coalesce(hosts.token, 0)`
}

/**
 * The first page to be leased of each host that is ready and has room: the
 * one longest due among those that are free. Reads hosts in the order they
 * became ready and stops at `limit`, so its cost goes with what is leased and
 * in flight, not with what is stored.
 */
function candidates(slot: SlotOf, workers: Workers): RawBuilder<PageRow> {
  const now = slot('now')
  return sql<PageRow>`
    select ${columnsOfPage()}
    from (
      select frontier.ready, frontier.host, (
        select due_page.id from pages as due_page
        where due_page.collection = frontier.collection and due_page.host = frontier.host
          and due_page.due <= ${now}
          and not exists (
            select 1 from leases where leases.page = due_page.id and leases.expires > ${now})
        order by due_page.due, due_page.id limit 1
      ) as page
      from frontier
      where frontier.collection = ${slot('collection')} and frontier.ready <= ${now}
        and (${slot('host')} is null
          or frontier.host = (select id from hosts where name = ${slot('host')}))
        and (
          select count(*) < ${allowed(slot, workers)}
          from leases where leases.host = frontier.host and leases.expires > ${now})
    ) as ready_host
    cross join pages on pages.id = ready_host.page
    order by ready_host.ready, ready_host.host
    limit ${atMost(slot('limit'))}`
}

/**
 * Leases all pages of a query and hands their rows over, in its order, by
 * tokens that follow one another: one statement, since finding a page again to
 * lease it would take as long as finding it.
 */
function leased(pages: RawBuilder<PageRow>, slot: SlotOf): RawBuilder<PageRow> {
  const names = pageColumns.map((_, at) => sql.ref<unknown>(`c${at}`))
  return sql<PageRow>`
    with found (${sql.join(names)}) as (${pages})
    insert or replace into leases (page, collection, host, token, expires, worker)
    select ${names[column.id]}, ${names[column.collection]}, ${names[column.host]},
      ${slot('token')} + ${handedOver(names)}, ${slot('expires')}, ${slot('worker')}
    from found`
}

/**
 * Further pages of one host after the first, in the order they are to be
 * leased, by number alone: an index has them, and most are not wanted yet.
 * What is due before the first is leased already and not looked at again.
 */
function furtherPages(slot: SlotOf): RawBuilder<readonly [number]> {
  const now = slot('now')
  return sql<readonly [number]>`
    select pages.id from pages
    where pages.collection = ${slot('collection')} and pages.host = ${slot('host')}
      and (pages.due, pages.id) > (${slot('firstDue')}, ${slot('first')}) and pages.due <= ${now}
      and not exists (
        select 1 from leases where leases.page = pages.id and leases.expires > ${now})
    order by pages.due, pages.id limit ${atMost(slot('many'))}`
}

/** A page, its host and its collection, by their numbers. */
type PageOfHost = readonly [page: number, host: number, collection: number]

/** One page, unless it is leased; a lease of the frontier counts until a turn of its queue has ended it. */
export function freePage(slot: SlotOf): RawBuilder<PageOfHost> {
  return sql<PageOfHost>`
    select pages.id, pages.host, pages.collection from pages
    where pages.id = ${slot('id')}
      and not exists (
        select 1 from leases where leases.page = pages.id
          and (leases.expires > ${slot('now')} or leases.worker = ${ofQueues}))`
}

/** Pages by their numbers, in that order. */
function pagesOf(slot: SlotOf): RawBuilder<PageRow> {
  return sql<PageRow>`
    select ${columnsOfPage()}
    from json_each(${slot('ids')}) as chosen cross join pages on pages.id = chosen.value`
}

/** How many pages of a host may be leased now. */
function roomOf(slot: SlotOf, workers: Workers): RawBuilder<readonly [number]> {
  return sql<readonly [number]>`
    select ${allowed(slot, workers)} - count(*)
    from leases where leases.host = ${slot('host')} and leases.expires > ${slot('now')}`
}

/** The same whatever is due of it, and none while the host rests. */
function roomUnlessResting(slot: SlotOf): RawBuilder<readonly [number]> {
  return sql<readonly [number]>`
    select iif(coalesce(hosts.blocked_until, ${slot('now')}) > ${slot('now')}, 0, (
      ${roomOf(slot, 'many')}))
    from hosts where hosts.id = ${slot('host')}`
}

/** `one` where no other worker holds a lease: then an index alone counts those of a host. */
type Workers = 'one' | 'many'

/** How many leases a host may have, over those it has: none more while another worker holds one. */
function allowed(slot: SlotOf, workers: Workers): RawBuilder<number> {
  const ahead = slot('ahead')
  if (workers === 'one') return sql<number>`${ahead}`
  return sql<number>`
    iif(total(leases.worker <> ${slot('worker')}) = 0, ${ahead}, 0)`
}

/**
 * A limit that is not part of the plan. SQLite plans a statement with a bare slot there anew
 * for every value, each time it runs: longer than most of them take.
 */
function atMost(many: never): RawBuilder<number> {
  return sql<number>`${many} + 0`
}

/** All that a page's record is made of. */
export function columnsOfPage() {
  return sql.join(pageColumns.map(([name]) => sql.ref(`pages.${name}`)))
}

interface HostRoom {
  readonly collection: number
  readonly now: number
  readonly ahead: number
  readonly worker: string
  /** Who holds leases now: this worker alone, or others too. */
  readonly workers: 'one' | 'many'
}

/** What a lease says of itself: the first token of those to give, until when, and to whom. */
export interface Terms {
  readonly token: number
  readonly expires: number
  readonly worker: string
}

/** Leases pages that are due and free, host by host. */
export class DuePages {
  readonly #leaseFirst
  readonly #furtherPages
  readonly #leaseThese
  readonly #room
  readonly #restingRoom

  constructor(db: Database) {
    const arrays = { arrays: true }
    this.#leaseFirst = {
      one: db.wideStatement((_, slot) => leased(candidates(slot, 'one'), slot)),
      many: db.wideStatement((_, slot) => leased(candidates(slot, 'many'), slot)),
    }
    this.#furtherPages = db.statement((_, slot) => furtherPages(slot), arrays)
    this.#leaseThese = db.wideStatement((_, slot) => leased(pagesOf(slot), slot))
    this.#room = {
      one: db.statement((_, slot) => roomOf(slot, 'one'), arrays),
      many: db.statement((_, slot) => roomOf(slot, 'many'), arrays),
    }
    this.#restingRoom = db.statement((_, slot) => roomUnlessResting(slot), arrays)
  }

  /** Those of free pages, by number and host, that may be visited now; in the order given. */
  withinRoom(
    pages: readonly PageOfHost[],
    { now, perHost, ahead = perHost, worker }: Omit<LeaseRequest, 'collection' | 'limit'>,
  ): PageOfHost[] {
    const rooms = new Map<number, number>()
    return pages.filter(([, host]) => {
      const asked = { host, now, ahead, worker }
      const room = rooms.get(host) ?? this.#restingRoom().first(asked)![0]
      rooms.set(host, room - 1)
      return room > 0
    })
  }

  /** Pages by their numbers, whatever else is known of them. */
  leaseThese(pages: readonly number[], terms: Terms): PageRow[] {
    if (pages.length === 0) return []
    return this.#leaseThese().all({ ...terms, ids: JSON.stringify(pages) })
  }

  lease(
    request: LeaseRequest,
    { collection, workers, terms }: Pick<HostRoom, 'collection' | 'workers'> & { terms: Terms },
  ): readonly PageRow[] {
    const { now, limit, perHost, ahead = perHost, worker, host = null } = request
    const room = { collection, now, ahead, worker }
    const asked = { ...terms, ...room, host, limit }
    const first = this.#leaseFirst[workers]().all(asked)
    if (ahead <= 1 || first.length >= limit) return first
    const further = this.#further(first, { ...room, workers, limit: limit - first.length })
    const token = terms.token + first.length
    return [...first, ...this.leaseThese(further, { ...terms, token })]
  }

  /** Of the hosts of these pages the second page each, then the third, up to the room and the limit. */
  #further(first: readonly PageRow[], room: HostRoom & { readonly limit: number }): number[] {
    const { limit } = room
    // Most hosts have as many as their share; what is read beyond it would be read for nothing.
    const share = Math.ceil(limit / first.length)
    const fair = first.map((row) => this.#furtherOf(row, room, share))
    const found = fair.reduce((sum, { length }) => sum + length, 0)
    const turns =
      found >= limit
        ? fair
        : fair.map((some, at) =>
            some.length < share ? some : this.#furtherOf(first[at]!, room, limit),
          )
    const ids: number[] = []
    for (let round = 0; ids.length < limit; round++) {
      const next = turns.flatMap((pages) => pages[round] ?? [])
      if (next.length === 0) break
      ids.push(...next.slice(0, limit - ids.length))
    }
    return ids
  }

  #furtherOf(
    first: PageRow,
    { workers, collection, now, ahead, worker }: HostRoom,
    most: number,
  ): (readonly [number])[] {
    const host = first[column.host]
    const [room] = this.#room[workers]().first({ host, now, ahead, worker })!
    if (room <= 0) return []
    const after = { first: first[column.id], firstDue: first[column.due] }
    const many = Math.min(room, most)
    return this.#furtherPages().all({ collection, host, now, ...after, many })
  }
}
