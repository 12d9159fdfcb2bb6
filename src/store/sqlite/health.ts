import { type RawBuilder, sql } from 'kysely'
import type { StoreHealth, StoreTotals } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { type Checks, problems, problemsFound } from '../health-checks.js'
import { ofQueues } from './due-pages.js'
import type { Database } from './file/database.js'

/** Numbers about the store. */
export class Health {
  readonly #frontier
  readonly #due
  readonly #inFlight
  readonly #totals

  constructor(db: Database) {
    this.#frontier = db.statement(
      (_, slot) => sql<{ pages: number; hosts: number; oldest: number | null }>`
        select coalesce(sum(pages), 0) as pages, count(*) as hosts, min(due) as oldest
        from frontier where collection = ${slot('collection')}`,
    )
    // By hosts that have something due: what is not due is not read.
    this.#due = db.statement(
      (_, slot) => sql<{ due: number }>`
        select count(*) as due from frontier cross join pages
          on pages.collection = frontier.collection and pages.host = frontier.host
          and pages.due <= ${slot('now')}
        where frontier.collection = ${slot('collection')} and frontier.due <= ${slot('now')}`,
    )
    this.#inFlight = db.statement((q, slot) =>
      q
        .selectFrom('leases')
        .select((eb) => eb.fn.countAll<number>().as('leases'))
        .where('collection', '=', slot('collection'))
        .where('expires', '>', slot('now')),
    )
    this.#totals = db.statement(
      () => sql<StoreTotals>`
        select (select count(*) from pages) as pages, (select count(*) from visits) as visits,
          (select count(*) from versions) as versions, count(*) as snapshots,
          coalesce(sum(bytes), 0) as contentBytes,
          coalesce(sum(length(body)), 0) as packedBytes
        from snapshots`,
    )
  }

  of(collection: number, now: UnixSeconds): StoreHealth {
    const { pages, hosts, oldest } = this.#frontier().first({ collection })!
    return {
      pages,
      hosts,
      dueNow: this.#due().first({ collection, now })!.due,
      inFlight: this.#inFlight().first({ collection, now })!.leases,
      oldestDue: oldest,
    }
  }

  totals(): StoreTotals {
    return { ...this.#totals().first()! }
  }
}

/** Rows that cannot be. */
const impossible: Checks<RawBuilder<{ count: number }>> = {
  [problems.visitCounts]: sql`select count(*) as count from pages left join
      (select page, count(*) as found from visits group by page) as log on log.page = pages.id
      where visits <> coalesce(found, 0)`,
  [problems.visitsOfNoPage]: sql`select count(*) as count from visits where page not in (select id from pages)`,
  [problems.visitOrder]: sql`select count(*) as count from visits left join visits as earlier
      on earlier.id = visits.previous
      where visits.previous is not null
        and (earlier.id is null or earlier.page <> visits.page or earlier.at >= visits.at)`,
  [problems.visitSuccessors]: sql`select count(*) - count(distinct previous) as count from visits
      where previous is not null`,
  [problems.newestVisits]: sql`select count(*) as count from pages left join visits on visits.id = pages.newest_visit
      where (pages.visits = 0) <> (newest_visit is null)
        or (newest_visit is not null and (visits.page is not pages.id or visits.at <> last_at))`,
  [problems.hostSums]: sql`select count(*) as count from frontier full join
      (select collection, host, min(due) as due, count(*) as pages
        from pages group by collection, host) as truth
      on truth.collection = frontier.collection and truth.host = frontier.host
      where frontier.due is not truth.due or frontier.pages is not truth.pages`,
  'hosts whose block is not known to the frontier': sql`select count(*) as count from frontier join hosts on hosts.id = frontier.host
      where blocked is not blocked_until`,
  [problems.queueSums]: sql`select count(*) as count from queues
      where in_flight <> (select count(*) from leases where leases.collection = queues.collection
          and leases.host = queues.host and worker = ${ofQueues})
        or due is not (select min(pages.due) from pages
          where pages.collection = queues.collection and pages.host = queues.host
            and pages.due is not null and not exists (select 1 from leases
              where leases.page = pages.id and worker = ${ofQueues}))`,
  [problems.queuedHosts]: sql`select count(*) as count from frontier
      join collections on collections.id = frontier.collection
      left join queues on queues.collection = frontier.collection and queues.host = frontier.host
      where queued <> (queues.host is not null)`,
  [problems.leasesOfNoPage]: sql`select count(*) as count from leases left join pages on pages.id = leases.page
      where leases.page > 0 and (pages.id is null or pages.host <> leases.host
        or pages.collection <> leases.collection)`,
  'holds of no host': sql`select count(*) as count from leases
      where page <= 0 and (page <> -host or host not in (select id from hosts))`,
  [problems.versionsOfNothing]: sql`select count(*) as count from versions
      where page not in (select id from pages)
        or snapshot not in (select id from snapshots)`,
  'contents with a wrong number of versions': sql`select count(*) as count from snapshots left join
      (select snapshot, count(*) as found from versions group by snapshot) as used
      on used.snapshot = snapshots.id where refs <> coalesce(found, 0)`,
  [problems.deliveriesOfNoChannel]: sql`select count(*) as count from deliveries where channel not in (select id from channels)`,
}

/** What is wrong with a store, in words: SQLite's own check, then what our tables owe each other. */
export function checkStore(db: Database): string[] {
  const torn = db.torn()
  if (torn.length > 0) return torn
  return db.read(() =>
    problemsFound(
      Object.entries(impossible).map(([problem, query]) => [problem, db.once(query)[0]!.count]),
    ),
  )
}
