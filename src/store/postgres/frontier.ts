import type { UnixSeconds } from '../../model/units.js'
import { hostKey, type Key } from './keys.js'
import { settleQueues } from './queues/settle.js'
import { rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

/** Stands for several workers where a column names the one who holds a host. */
export const severalWorkers = '*'

const grow = statement(`
  insert into frontier (host, collection, number, pages)
  select * from unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[])
  on conflict (host, collection) do update set pages = frontier.pages + excluded.pages`)

/** All collections of the hosts: a lease of one holds the host for all. Their queues with them. */
const settle = statement(`
  with queues_settled as (${settleQueues({
    hosts: '$1',
    collections: '$2',
    given: '$4',
    ended: '$5',
  })})
  update frontier set
    due = (
      select s.due from page_states s
      where s.host = frontier.host and s.collection = frontier.collection and s.due is not null
      order by s.due limit 1),
    served = case when frontier.collection = touched.collection
      then greatest(frontier.served, touched.served) else frontier.served end,
    blocked = hosts.blocked_until,
    held_until = case when touched.leases_stay then frontier.held_until else holding.until end,
    holder = case when touched.leases_stay then frontier.holder else holding.holder end
  from ${rowsGiven('$1::bigint[], $2::int[], $3::float8[], $6::bool[]')}
      as touched (host, collection, served, leases_stay)
    cross join lateral (
      select blocked_until from hosts where key = touched.host) as hosts
    cross join lateral (
      select max(expires) as until, case when count(*) = 0 then null
        when min(worker) = max(worker) then min(worker) else '${severalWorkers}' end as holder
      from leases where leases.host = touched.host and not touched.leases_stay) as holding
  where frontier.host = touched.host`)

const dropEmpty = statement('delete from frontier where host = any($1::bigint[]) and pages = 0')

/** Pages more or fewer of one host of a collection; `number` is the host's. */
export interface Growth {
  readonly host: Key
  readonly collection: number
  readonly number: number
  readonly pages: number
}

/** What happened to a host, by when: a page of it was visited, its queue gave, a lease of its queue ended. */
interface Events {
  readonly served?: number
  readonly given?: number
  readonly ended?: number
  /** No lease of the host came, went or changed hands: who holds it need not be read from them all. */
  readonly leasesStay?: boolean
}

interface Touch {
  readonly collection: number
  served: number | null
  given: number | null
  ended: number | null
  leasesStay: boolean
}

const untouched = { served: null, given: null, ended: null, leasesStay: false }

function later(before: number | null, at: number | undefined): number | null {
  return at === undefined ? before : Math.max(before ?? at, at)
}

/** Hosts whose pages, leases or record a transaction changed, each settled once at its end. */
export class Touched {
  readonly #rounds: Map<Key, Touch>[] = [new Map()]

  /** A page's due time changed; with what happened to it beside, and when. */
  add(host: Key, collection = 0, events: Events = {}): void {
    for (const round of this.#rounds) {
      const known = round.get(host)
      if (known === undefined) {
        round.set(host, { collection, ...untouched, ...events })
        return
      }
      if (known.collection !== collection && collection !== 0) continue
      known.served = later(known.served, events.served)
      known.given = later(known.given, events.given)
      known.ended = later(known.ended, events.ended)
      known.leasesStay &&= events.leasesStay === true
      return
    }
    this.#rounds.push(new Map([[host, { collection, ...untouched, ...events }]]))
  }

  /**
   * Brings the frontier in step with what the transaction wrote: a statement of
   * its own, since those of one WITH do not see each other's rows.
   */
  async settle(session: Session): Promise<void> {
    for (const round of this.#rounds) {
      if (round.size === 0) continue
      const touched = [...round.values()]
      await session.run(settle, [
        [...round.keys()],
        touched.map(({ collection }) => collection),
        touched.map(({ served }) => served),
        touched.map(({ given }) => given),
        touched.map(({ ended }) => ended),
        touched.map(({ leasesStay }) => leasesStay),
      ])
    }
  }
}

/**
 * One row for each host of a collection, kept in step with its pages, its
 * leases and its record in the same transaction, so that a lease among a
 * million hosts reads only those that are ready.
 */
export const frontier = {
  async grow(session: Session, places: readonly Growth[]): Promise<void> {
    if (places.length === 0) return
    await session.run(grow, [
      places.map(({ host }) => host),
      places.map(({ collection }) => collection),
      places.map(({ number }) => number),
      places.map(({ pages }) => pages),
    ])
  },

  async dropEmpty(session: Session, hosts: readonly Key[]): Promise<void> {
    await session.run(dropEmpty, [hosts])
  },
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

const atRest = statement(`
  select least(
    (select ready from frontier
      where collection = $1 and held_until is null and ready is not null
      order by ready limit 1),
    (select min(ready) from frontier
      where collection = $1 and held_until <= $2))`)

/**
 * When a host at work has a page to give: once it is ready, its room is free
 * (others have given it back, and enough of our own), and a page of it is due
 * that is not leased, or whose lease has run out by then.
 */
const atWork = (which: string) =>
  statement(`
  select min(greatest(f.ready, room.others, room.own, page.due))
  from frontier f
    cross join lateral (
      select
        max(l.expires) filter (where l.worker is distinct from $3) as others,
        (select o.expires from leases o
          where o.host = f.host and o.worker = $3 and o.expires > $2
          order by o.expires desc offset $4::bigint - 1 limit 1) as own
      from leases l where l.host = f.host and l.expires > $2) as room
    cross join lateral (
      select least(
        (select s.due from page_states s
          where s.host = f.host and s.collection = f.collection and s.due is not null
            and not exists (select 1 from leases l
              where l.host = s.host and l.page = s.page and l.expires > $2 offset 0)
          order by s.due limit 1),
        (select min(greatest(s.due, l.expires)) from leases l
          cross join lateral (
            select due from page_states
            where page_states.host = l.host and page_states.page = l.page offset 0) as s
          where l.host = f.host and l.collection = f.collection and l.expires > $2
            and s.due is not null)) as due) as page
  where f.collection = $1 and f.ready is not null and page.due is not null and ${which}`)

const ofAll = atWork('f.held_until > $2')
const ofOne = atWork('f.host = $5::bigint')

/**
 * When a lease can next be given. Hosts at rest wait for the time they are
 * ready; hosts at work also for room, and their leased pages for the end of
 * the lease. Reads as many hosts as are at work, or the one that is asked for.
 */
export async function nextDue(session: Session, asked: Asked): Promise<UnixSeconds | null> {
  const { collection, now, perHost, worker = null, host } = asked
  const room = [collection, now, worker, perHost]
  const found =
    host === undefined
      ? await Promise.all([
          session.first<[number | null]>(ofAll, room),
          session.first<[number | null]>(atRest, [collection, now]),
        ])
      : [await session.first<[number | null]>(ofOne, [...room, hostKey(host)])]
  const times = found.flatMap((row) => row?.[0] ?? [])
  return times.length === 0 ? null : Math.max(now, Math.min(...times))
}
