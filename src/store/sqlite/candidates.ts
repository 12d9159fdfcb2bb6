import { type RawBuilder, sql } from 'kysely'
import { pageColumns } from './page-row.js'
import type { SlotOf } from './statement.js'

/**
 * Pages that may be leased in one round: of each host that is ready and has
 * room, the page at place `round` among those due and free. Reads hosts in the
 * order they became ready and stops at `limit`, so its cost goes with what is
 * leased and in flight, not with what is stored.
 */
export function candidates(slot: SlotOf): RawBuilder<never> {
  const now = slot('now')
  const round = slot('round')
  return sql<never>`
    select ${sql.join(pageColumns.map((column) => sql.ref(column)))}
    from (
      select frontier.ready, frontier.host, (
        select due_page.id from pages as due_page
        where due_page.collection = frontier.collection and due_page.host = frontier.host
          and due_page.due <= ${now}
          and not exists (
            select 1 from leases where leases.page = due_page.id and leases.expires > ${now})
        order by due_page.due, due_page.id limit 1 offset ${round}
      ) as page
      from frontier
      where frontier.collection = ${slot('collection')} and frontier.ready <= ${now}
        and (${slot('host')} is null
          or frontier.host = (select id from hosts where name = ${slot('host')}))
        and ${round} + (
          select count(*) from leases where leases.host = frontier.host and leases.expires > ${now}
        ) < ${slot('perHost')}
      order by frontier.ready, frontier.host
    ) as ready_host
    cross join pages on pages.id = ready_host.page
    limit ${slot('limit')}`
}
