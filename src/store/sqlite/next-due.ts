import { sql } from 'kysely'
import type { UnixSeconds } from '../../model/index.js'
import type { Database } from './database.js'

interface Asked {
  readonly collection: number
  readonly now: UnixSeconds
  readonly perHost: number
  /** Who asks: what others hold of a host has to end first. */
  readonly worker?: string
  /** Only pages of this host. */
  readonly host?: string
}

/**
 * When a lease can next be given. Hosts at rest wait for the time they are
 * ready; hosts at work also for room, and their leased pages for the end of
 * the lease. Reads as many hosts as are at work, or the one that is asked for.
 */
export class NextDue {
  readonly #atRest
  readonly #atWork
  readonly #named
  readonly #expiries
  readonly #free
  readonly #held

  constructor(db: Database) {
    this.#atRest = db.statement(
      (_, slot) => sql<{ ready: number }>`
        select ready from frontier
        where collection = ${slot('collection')} and ready is not null
          and not exists (select 1 from leases
            where leases.host = frontier.host and leases.expires > ${slot('now')})
        order by ready limit 1`,
    )
    this.#atWork = db.statement(
      (_, slot) => sql<{ host: number; ready: number }>`
        select distinct frontier.host, max(coalesce(blocked, due), coalesce(served, due)) as ready
        from leases join frontier on frontier.host = leases.host
        where leases.expires > ${slot('now')} and frontier.collection = ${slot('collection')}
          and due is not null`,
    )
    this.#named = db.statement(
      (_, slot) => sql<{ host: number; ready: number }>`
        select frontier.host, max(coalesce(blocked, due), coalesce(served, due)) as ready
        from frontier
        where frontier.collection = ${slot('collection')} and due is not null
          and frontier.host = (select id from hosts where name = ${slot('name')})`,
    )
    this.#expiries = db.statement((q, slot) =>
      q
        .selectFrom('leases')
        .select(['expires', 'worker'])
        .where('host', '=', slot('host'))
        .where('expires', '>', slot('now'))
        .orderBy('expires'),
    )
    this.#free = db.statement(
      (_, slot) => sql<{ due: number }>`
        select due from pages
        where collection = ${slot('collection')} and host = ${slot('host')} and due is not null
          and not exists (select 1 from leases
            where leases.page = pages.id and leases.expires > ${slot('now')})
        order by due limit 1`,
    )
    this.#held = db.statement(
      (_, slot) => sql<{ due: number | null }>`
        select min(max(pages.due, leases.expires)) as due
        from leases join pages on pages.id = leases.page
        where leases.host = ${slot('host')} and leases.expires > ${slot('now')}
          and leases.collection = ${slot('collection')} and pages.due is not null`,
    )
  }

  after(asked: Asked): UnixSeconds | null {
    const { collection, now, host: name } = asked
    const hosts =
      name === undefined
        ? this.#atWork().all({ collection, now })
        : this.#named().all({ collection, name })
    const times = hosts.map(({ host, ready }) => Math.max(ready, this.#ofHost(host, asked)))
    const atRest = name === undefined ? this.#atRest().first({ collection, now }) : undefined
    if (atRest !== undefined) times.push(atRest.ready)
    const next = Math.min(...times)
    return next === Infinity ? null : Math.max(now, next)
  }

  #ofHost(host: number, { collection, now, perHost, worker }: Asked): UnixSeconds {
    const leases = this.#expiries().all({ host, now })
    const own = leases.filter((each) => each.worker === worker)
    const others = leases.findLast((each) => each.worker !== worker)?.expires ?? -Infinity
    const room = Math.max(others, own[own.length - perHost]?.expires ?? -Infinity)
    const free = this.#free().first({ collection, host, now })?.due ?? Infinity
    const held = this.#held().first({ collection, host, now })?.due ?? Infinity
    return Math.max(room, Math.min(free, held))
  }
}
