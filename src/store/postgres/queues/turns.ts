import { type GiveRequest, queueWorker } from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import { columnsOfPage, type FoundPage, whichLeases, wholePages } from '../due-pages.js'
import { Touched } from '../frontier.js'
import type { Key } from '../keys.js'
import { rowsGiven, statement } from '../server/database.js'
import { type Session, together } from '../server/session.js'
import { isOfQueue } from './settle.js'

/** Leases that ran out, ended in one turn at most: a turn stays short, and the next one goes on. */
const mostEnded = 1000

/** Of queues that nobody else has locked. */
const endRunOut = statement(`
  with found as materialized (
    select host, ctid as place from leases where worker = '${queueWorker}' and expires <= $1
    order by expires limit ${mostEnded}
  ), locked as materialized (
    select h.key from (select distinct host from found) as f cross join lateral (
      select key from hosts where hosts.key = f.host for no key update skip locked) as h
  )
  delete from leases l using (
    select found.* from found cross join lateral (
      select 1 from locked where locked.key = found.host) as mine) as found
  where ${whichLeases} and ${isOfQueue} and l.expires + 0 <= $1
  returning l.host::text, l.collection, l.expires`)

const candidate = `
  select q.host::text, q.collection, h.name, q.ready from queues q cross join lateral (
    select name from hosts where hosts.key = q.host for no key update skip locked) as h
  where q.collection = $1 and q.in_flight = $2 and q.ready <= $3`

/** Locks queues that may give, in the order of how long they could have, and passes over those that others have locked. */
const lockReady = statement(`${candidate} order by q.ready, q.host limit $4`)
const lockNamed = statement(`${candidate} and q.host = $5::bigint limit $4`)

const mostInFlight = statement(`
  select in_flight from queues where collection = $1 and ready is not null
  order by in_flight desc limit 1`)

/** What each of them gives, now that nobody else can: read anew, as another may just have had it. */
const pick = statement(`
  select chosen.place::int, due_page.page
  from ${rowsGiven('$1::bigint[], $2::int[]', 'with ordinality')} as chosen (host, collection, place)
    cross join lateral (
      select q.in_flight from queues q where q.host = chosen.host
        and q.collection = chosen.collection and q.ready <= $3 offset 0) as q
    cross join lateral (
      select s.page, s.due from page_states s
      where s.host = chosen.host and s.collection = chosen.collection and s.due <= $3
        and not exists (select 1 from leases l where l.host = s.host and l.page = s.page
          and (l.expires > $3 or ${isOfQueue}) offset 0)
      order by s.due, s.page limit greatest($4::bigint - q.in_flight, 0)) as due_page
  order by chosen.place, due_page.due, due_page.page`)

const lease = statement(`
  with chosen as materialized (
    select host, page, place, nextval('lease_tokens') as token
    from ${rowsGiven('$1::bigint[], $2::bigint[]', 'with ordinality')} as wanted (host, page, place)
  ), given as (
    insert into leases (host, page, collection, token, expires, worker)
    select chosen.host, chosen.page, s.collection, token, $3::float8, '${queueWorker}'
    from chosen cross join lateral (
      select collection from page_states s
      where s.host = chosen.host and s.page = chosen.page offset 0) as s
    on conflict (host, page) do update set token = excluded.token, expires = excluded.expires,
      worker = excluded.worker, due_set = false
  )
  select ${columnsOfPage} from chosen ${wholePages} order by chosen.place`)

/** A queue that is locked. */
interface Candidate {
  readonly host: Key
  readonly collection: number
  readonly key: string
  readonly ready: number
}

/** A page that was given, with the key of its queue. */
export interface GivenRow {
  readonly row: FoundPage
  readonly key: string
}

/** The turns of queues, within a transaction: which of them give, and what. */
export async function takeTurns(
  session: Session,
  { maxQueues, perQueue, ttl, now }: GiveRequest,
  from: { readonly crawls: readonly number[]; readonly host: Key | undefined },
): Promise<GivenRow[]> {
  await endLeases(session, now)
  const touched = new Touched()
  const given: GivenRow[] = []
  let turns = 0
  // Those with fewer in flight first: they are found without reading the others.
  const levels = perQueue === 1 ? 1 : Math.min(perQueue, 1 + (await most(session, from.crawls)))
  for (let inFlight = 0; inFlight < levels && turns < maxQueues; inFlight++) {
    const asked = { ...from, inFlight, now, limit: maxQueues - turns }
    const queues = await lockedQueues(session, asked)
    if (queues.length === 0) continue
    const places = [queues.map(({ host }) => host), queues.map(({ collection }) => collection)]
    type Picked = readonly [place: number, page: number]
    const pages = await session.rows<Picked>(pick, [...places, now, perQueue])
    if (pages.length === 0) continue
    const of = pages.map(([place]) => queues[place - 1]!)
    const rows = await session.rows<FoundPage>(lease, [
      of.map(({ host }) => host),
      pages.map(([, page]) => page),
      now + ttl,
    ])
    given.push(...rows.map((row, at) => ({ row, key: of[at]!.key })))
    const gave = new Set(of)
    turns += gave.size
    for (const { host, collection } of gave) touched.add(host, collection, { given: now })
  }
  await touched.settle(session)
  return given
}

/** Queues whose leases ran out rest from then on. */
async function endLeases(session: Session, now: UnixSeconds): Promise<void> {
  type Row = readonly [host: Key, collection: number, expires: number]
  const ended = await session.rows<Row>(endRunOut, [now])
  const touched = new Touched()
  for (const [host, collection, expires] of ended) touched.add(host, collection, { ended: expires })
  await touched.settle(session)
}

async function most(session: Session, crawls: readonly number[]): Promise<number> {
  const found = await together(crawls.map((id) => session.first<[number]>(mostInFlight, [id])))
  return Math.max(0, ...found.map((row) => row?.[0] ?? 0))
}

/** Those that have been ready longest first, over all crawls. */
async function lockedQueues(
  session: Session,
  asked: {
    readonly crawls: readonly number[]
    readonly host: Key | undefined
    readonly inFlight: number
    readonly now: UnixSeconds
    readonly limit: number
  },
): Promise<Candidate[]> {
  const { crawls, host, inFlight, now, limit } = asked
  type Row = readonly [Key, number, string, number]
  const found = await together(
    crawls.map((crawl) => {
      const values = [crawl, inFlight, now, limit]
      return host === undefined
        ? session.rows<Row>(lockReady, values)
        : session.rows<Row>(lockNamed, [...values, host])
    }),
  )
  const queues = found
    .flat()
    .map(([key, collection, name, ready]) => ({ host: key, collection, key: name, ready }))
  if (found.length > 1) queues.sort((one, other) => one.ready - other.ready)
  return queues.slice(0, limit)
}
