import { defaultQueueDelay, queueWorker } from '../../../model/queue.js'
import { delaySetting, noCollection } from '../../queue-rules.js'
import { rowsGiven } from '../server/database.js'

/** The delay of all queues that have none of their own. */
const defaultDelay = `coalesce((select value::float8 from settings
  where collection = ${noCollection} and name = '${delaySetting}'), ${defaultQueueDelay})`

/**
 * A lease that a queue gave. Not by the name alone: an index has just these
 * leases, by when they run out, and PostgreSQL would read all of it for each
 * host.
 */
export const isOfQueue = `l.worker || '' = '${queueWorker}'`

/** As a limit: none of the hosts where no collection is a crawl. */
const allWhereCrawls =
  'case when exists (select 1 from collections where queued) then 1000000000 else 0 end'

/**
 * Brings queues in step with their addresses, leases and rules: the rule of
 * `readyAt`, for lists of hosts that are locked. A collection of 0 stands for
 * all of a host. Where there is a crawl, hosts that are no queues cost a look
 * into an index.
 */
export function settleQueues(lists: {
  readonly hosts: string
  readonly collections: string
  readonly given: string
  readonly ended: string
}): string {
  const { hosts, collections, given, ended } = lists
  return `
    update queues set in_flight = fresh.in_flight, due = fresh.due, given = fresh.given,
      ended = fresh.ended, ready = fresh.ready
    from (
      select *, case when due is not null and not is_full
        then greatest(due, blocked, greatest(given, ended) + delay) end as ready
      from (
      select q.host, q.collection, q.blocked, leased.in_flight,
        (select s.due from page_states s
          where s.host = q.host and s.collection = q.collection and s.due is not null
            and not exists (select 1 from leases l
              where l.host = s.host and l.page = s.page and ${isOfQueue} offset 0)
          order by s.due limit 1) as due,
        greatest(q.given, touched.given) as given,
        case when leased.in_flight < q.in_flight then greatest(q.ended, touched.ended)
          else q.ended end as ended,
        coalesce(q.delay, ${defaultDelay}) as delay,
        q.quota > 0 and q.quota <= (
          select count(*) from (
            select 1 from page_states s
            where s.host = q.host and s.collection = q.collection and s.due is null
            limit q.quota) as completed) as is_full
      from ${rowsGiven(
        `${hosts}::bigint[], ${collections}::int[], ${given}::float8[], ${ended}::float8[]`,
        '',
        allWhereCrawls,
      )}
          as touched (host, collection, given, ended)
        cross join lateral (
          select * from queues where queues.host = touched.host
            and (touched.collection = 0 or queues.collection = touched.collection) offset 0) as q
        cross join lateral (
          select count(*) as in_flight from leases l
          where l.host = q.host and l.collection = q.collection
            and ${isOfQueue}) as leased
      offset 0) as found
      offset 0
    ) as fresh
    where queues.host = fresh.host and queues.collection = fresh.collection
      and (queues.in_flight, queues.due, queues.given, queues.ended, queues.ready)
        is distinct from (fresh.in_flight, fresh.due, fresh.given, fresh.ended, fresh.ready)`
}
