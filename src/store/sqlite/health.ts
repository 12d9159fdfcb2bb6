import { sql } from 'kysely'
import type { StoreHealth, StoreTotals, UnixSeconds } from '../../model/index.js'
import type { Database } from './database.js'

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
