import { type RawBuilder, sql } from 'kysely'
import { collectionColumn, hostColumn, type PageRow, pageColumns } from './page-row.js'
import type { SlotOf } from './statement.js'
import { handedOver } from './wide-statement.js'

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
export function candidates(slot: SlotOf, workers: Workers): RawBuilder<PageRow> {
  const now = slot('now')
  return sql<PageRow>`
    select ${columns()}
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
export function leased(pages: RawBuilder<PageRow>, slot: SlotOf): RawBuilder<PageRow> {
  const names = pageColumns.map((_, at) => sql.ref<unknown>(`c${at}`))
  return sql<PageRow>`
    with found (${sql.join(names)}) as (${pages})
    insert or replace into leases (page, collection, host, token, expires, worker)
    select ${names[0]}, ${names[collectionColumn]}, ${names[hostColumn]},
      ${slot('token')} + ${handedOver(names)}, ${slot('expires')}, ${slot('worker')}
    from found`
}

/**
 * Further pages of one host after the first, in the order they are to be
 * leased, by number alone: an index has them, and most are not wanted yet.
 * What is due before the first is leased already and not looked at again.
 */
export function furtherPages(slot: SlotOf): RawBuilder<readonly [number]> {
  const now = slot('now')
  return sql<readonly [number]>`
    select pages.id from pages
    where pages.collection = ${slot('collection')} and pages.host = ${slot('host')}
      and (pages.due, pages.id) > (${slot('firstDue')}, ${slot('first')}) and pages.due <= ${now}
      and not exists (
        select 1 from leases where leases.page = pages.id and leases.expires > ${now})
    order by pages.due, pages.id limit ${atMost(slot('many'))}`
}

/** A page and its host, by their numbers. */
export type PageOfHost = readonly [page: number, host: number]

/** One page, unless it is leased. */
export function freePage(slot: SlotOf): RawBuilder<PageOfHost> {
  return sql<PageOfHost>`
    select pages.id, pages.host from pages
    where pages.id = ${slot('id')}
      and not exists (
        select 1 from leases where leases.page = pages.id and leases.expires > ${slot('now')})`
}

/** Pages by their numbers, in that order. */
export function pagesOf(slot: SlotOf): RawBuilder<PageRow> {
  return sql<PageRow>`
    select ${columns()}
    from json_each(${slot('ids')}) as chosen cross join pages on pages.id = chosen.value`
}

/** How many pages of a host may be leased now. */
export function roomOf(slot: SlotOf, workers: Workers): RawBuilder<readonly [number]> {
  return sql<readonly [number]>`
    select ${allowed(slot, workers)} - count(*)
    from leases where leases.host = ${slot('host')} and leases.expires > ${slot('now')}`
}

/** The same whatever is due of it, and none while the host rests. */
export function roomUnlessResting(slot: SlotOf): RawBuilder<readonly [number]> {
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

function columns() {
  return sql.join(pageColumns.map((column) => sql.ref(column)))
}
