import { type RawBuilder, sql } from 'kysely'
import { pageColumns } from './page-row.js'
import type { SlotOf } from './statement.js'

/**
 * The first page to be leased of each host that is ready and has room: the
 * one longest due among those that are free. Reads hosts in the order they
 * became ready and stops at `limit`, so its cost goes with what is leased and
 * in flight, not with what is stored.
 */
export function candidates(slot: SlotOf): RawBuilder<never> {
  const now = slot('now')
  return sql<never>`
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
          select count(*) < iif(
            total(leases.worker <> ${slot('worker')}) = 0, ${slot('ahead')}, ${slot('perHost')})
          from leases where leases.host = frontier.host and leases.expires > ${now})
      order by frontier.ready, frontier.host
    ) as ready_host
    cross join pages on pages.id = ready_host.page
    limit ${slot('limit')}`
}

/**
 * Further pages of one host, in the order they are to be leased, by number
 * alone: an index has them, and most are not wanted yet.
 */
export function furtherPages(slot: SlotOf): RawBuilder<readonly [number]> {
  const now = slot('now')
  return sql<readonly [number]>`
    select pages.id from pages
    where pages.collection = ${slot('collection')} and pages.host = ${slot('host')}
      and pages.due <= ${now}
      and not exists (
        select 1 from leases where leases.page = pages.id and leases.expires > ${now})
    order by pages.due, pages.id limit ${slot('room')} - 1 offset 1`
}

/** Pages by their numbers, in that order. */
export function pagesOf(slot: SlotOf): RawBuilder<never> {
  return sql<never>`
    select ${columns()}
    from json_each(${slot('ids')}) as chosen cross join pages on pages.id = chosen.value`
}

/** How many pages of a host may be leased now. */
export function roomOf(slot: SlotOf): RawBuilder<{ room: number }> {
  return sql<{ room: number }>`
    select iif(total(worker <> ${slot('worker')}) = 0, ${slot('ahead')}, ${slot('perHost')})
      - count(*) as room
    from leases where host = ${slot('host')} and expires > ${slot('now')}`
}

function columns() {
  return sql.join(pageColumns.map((column) => sql.ref(column)))
}
