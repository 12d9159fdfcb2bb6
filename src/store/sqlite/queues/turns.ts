import { sql } from 'kysely'
import { type GiveRequest, queueWorker } from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import type { PageRow, Place } from '../../schema.js'
import { ofQueues } from '../due-pages.js'
import type { Database } from '../file/database.js'
import type { Leases } from '../leases.js'
import type { QueueStates } from './states.js'

/** Leases that ran out, ended in one turn at most: a turn stays short, and the next one goes on. */
const mostEnded = 1000

interface Candidate extends Place {
  readonly ready: number
}

/** The turns of queues: which of them give, and what. Within transactions that write. */
export class QueueTurns {
  readonly #leases: Leases
  readonly #states: QueueStates
  readonly #runOut
  readonly #ready
  readonly #named
  readonly #mostInFlight
  readonly #due

  constructor(parts: {
    readonly db: Database
    readonly leases: Leases
    readonly states: QueueStates
  }) {
    this.#leases = parts.leases
    this.#states = parts.states
    const { db } = parts
    this.#runOut = db.statement(
      (_, slot) => sql<Place & { expires: number }>`
        delete from leases where page in (
          select page from leases
          where worker = ${ofQueues} and expires <= ${slot('now')}
          order by expires limit ${sql.lit(mostEnded)})
        returning collection, host, expires`,
    )
    this.#ready = db.statement(
      (_, slot) => sql<Candidate>`
        select collection, host, ready from queues
        where collection = ${slot('collection')} and in_flight = ${slot('inFlight')}
          and ready <= ${slot('now')}
        order by ready, host limit ${slot('limit')} + 0`,
    )
    this.#named = db.statement(
      (_, slot) => sql<Candidate>`
        select collection, host, ready from queues
        where collection = ${slot('collection')} and host = ${slot('host')}
          and in_flight + 0 = ${slot('inFlight')} and ready + 0 <= ${slot('now')}`,
    )
    this.#mostInFlight = db.statement(
      (_, slot) => sql<{ most: number }>`
        select in_flight as most from queues
        where collection = ${slot('collection')} and ready is not null
        order by in_flight desc limit 1`,
    )
    this.#due = db.statement(
      (_, slot) => sql<readonly [number]>`
        select id from pages
        where collection = ${slot('collection')} and host = ${slot('host')}
          and due <= ${slot('now')}
          and not exists (select 1 from leases where leases.page = pages.id
            and (leases.expires > ${slot('now')} or leases.worker = ${ofQueues}))
        order by due, id limit ${slot('many')} + 0`,
      { arrays: true },
    )
  }

  /** Leases addresses of queues whose turn it is, of these crawls; of one queue where a host is named. */
  give(
    { maxQueues, perQueue, ttl, now }: GiveRequest,
    of: { readonly crawls: readonly number[]; readonly host: number | null },
  ): PageRow[] {
    this.#endRunOut(now)
    const turns: { readonly place: Place; readonly pages: readonly number[] }[] = []
    // Those with fewer in flight first: they are found without reading the others.
    const levels = Math.min(perQueue, 1 + this.#most(of.crawls))
    for (let inFlight = 0; inFlight < levels && turns.length < maxQueues; inFlight++) {
      const limit = maxQueues - turns.length
      for (const place of this.#candidates({ ...of, inFlight, now, limit })) {
        const { collection, host } = place
        const asked = { collection, host, now, many: perQueue - inFlight }
        const pages = this.#due().all(asked)
        if (pages.length > 0) turns.push({ place, pages: pages.map(([id]) => id) })
      }
    }
    const ids = turns.flatMap(({ pages }) => pages)
    const rows = this.#leases.queued(ids, { now, ttl, worker: queueWorker })
    for (const { place } of turns) this.#states.settle(place, { given: now })
    return rows
  }

  /** Queues whose leases ran out rest from then on. */
  #endRunOut(now: UnixSeconds): void {
    const ended = new Map<string, Place & { at: number }>()
    for (const { collection, host, expires } of this.#runOut().all({ now })) {
      const key = `${collection} ${host}`
      const at = Math.max(expires, ended.get(key)?.at ?? -Infinity)
      ended.set(key, { collection, host, at })
    }
    for (const { at, ...place } of ended.values()) this.#states.settle(place, { ended: at })
  }

  #most(crawls: readonly number[]): number {
    return Math.max(
      0,
      ...crawls.map((collection) => this.#mostInFlight().first({ collection })?.most ?? 0),
    )
  }

  /** Those that have been ready longest first, over all crawls. */
  #candidates({
    crawls,
    host,
    ...asked
  }: {
    readonly crawls: readonly number[]
    readonly host: number | null
    readonly inFlight: number
    readonly now: UnixSeconds
    readonly limit: number
  }): Candidate[] {
    const found = crawls.map((collection) =>
      host === null
        ? this.#ready().all({ ...asked, collection })
        : this.#named().all({ ...asked, collection, host }),
    )
    const [only] = found
    if (found.length === 1) return only!
    return found
      .flat()
      .sort((one, other) => one.ready - other.ready)
      .slice(0, asked.limit)
  }
}
