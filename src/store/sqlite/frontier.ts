import { sql } from 'kysely'
import type { UnixSeconds } from '../../model/units.js'
import type { Place } from '../schema.js'
import type { Database } from './file/database.js'
import type { QueueStates } from './queues/states.js'

/**
 * One row for each host of a collection, kept in step with its pages in the
 * same transaction, so that a lease among a million pages reads only hosts that
 * are ready.
 */
export class Frontier {
  readonly #queues: QueueStates
  readonly #grow
  readonly #settle
  readonly #blocked
  readonly #empty

  constructor({ db, queues }: { readonly db: Database; readonly queues: QueueStates }) {
    this.#queues = queues
    this.#grow = db.statement(
      (_, slot) => sql<never>`
        insert into frontier (collection, host, pages, blocked)
        values (${slot('collection')}, ${slot('host')}, ${slot('pages')},
          (select blocked_until from hosts where id = ${slot('host')}))
        on conflict do update set pages = pages + excluded.pages`,
    )
    this.#settle = db.statement(
      (_, slot) => sql<never>`
        update frontier set due = (
          select min(due) from pages
          where pages.collection = frontier.collection and pages.host = frontier.host
            and due is not null),
          served = coalesce(max(served, ${slot('at')}), served, ${slot('at')})
        where collection = ${slot('collection')} and host = ${slot('host')}`,
    )
    this.#blocked = db.statement((q, slot) =>
      q
        .updateTable('frontier')
        .set({ blocked: slot('until') })
        .where('host', '=', slot('host'))
        .where('blocked', 'is not', slot('until')),
    )
    this.#empty = db.statement((q, slot) =>
      q
        .deleteFrom('frontier')
        .where('collection', '=', slot('collection'))
        .where('host', '=', slot('host'))
        .where('pages', '=', 0),
    )
  }

  /** So many pages more, or fewer. */
  grow({ collection, host }: Place, pages: number): void {
    this.#grow().run({ collection, host, pages })
  }

  /**
   * After due times of its pages have changed, or one was visited: hosts that
   * have waited longer come first. As a queue it also rests after a lease of it
   * has ended.
   */
  settle(place: Place, servedAt: number | null, endedAt?: number): void {
    const { collection, host } = place
    this.#settle().execute({ collection, host, at: servedAt })
    this.#queues.settle(place, endedAt === undefined ? {} : { ended: endedAt })
  }

  /** Its pages wait until then, in all collections. */
  blocked(host: number, until: number | null): void {
    this.#blocked().execute({ host, until })
  }

  dropIfEmpty({ collection, host }: Place): void {
    this.#empty().run({ collection, host })
  }
}

/** Hosts whose due times a transaction changed, each settled once at its end. */
export class Touched {
  readonly #places = new Map<number, Place & { served: number; ended: number }>()

  /** A page's due time changed; `servedAt` where it was visited, `endedAt` where its lease has ended. */
  add({ collection, host }: Place, servedAt = -Infinity, endedAt = -Infinity): void {
    // Both are row numbers of small tables: far below 2 ** 26 each.
    const key = collection * 2 ** 26 + host
    const known = this.#places.get(key)
    if (known === undefined) {
      this.#places.set(key, { collection, host, served: servedAt, ended: endedAt })
      return
    }
    known.served = Math.max(known.served, servedAt)
    known.ended = Math.max(known.ended, endedAt)
  }

  settle(frontier: Frontier): void {
    for (const { served, ended, ...place } of this.#places.values())
      frontier.settle(
        place,
        served === -Infinity ? null : served,
        ended === -Infinity ? undefined : ended,
      )
  }
}

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
