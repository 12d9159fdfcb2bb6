import type { LeaseRequest } from '../../model/lease.js'
import { type PageColumn, type PageRow, pageColumns } from '../schema.js'
import { severalWorkers } from './frontier.js'
import type { Key, PageKey } from './keys.js'
import { rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

/** What a page is, beside what is learned of it: columns of `pages`. */
export const factColumns: ReadonlySet<PageColumn> = new Set([
  ...(['collection', 'url', 'added_at', 'page_group', 'importance', 'settings', 'tags'] as const),
])

/** Where a column of pages lies. */
export function pageTable(name: string): 'pages' | 'page_states' {
  const facts: ReadonlySet<string> = factColumns
  return facts.has(name) ? 'pages' : 'page_states'
}

/** Columns of a `PageRow` from `pages p` and `page_states s`; the host's key, which is no number, follows them. */
export const columnsOfPage = [
  ...pageColumns.map(([name]) => {
    if (name === 'id') return 'p.page'
    if (name === 'host') return '0'
    return `${factColumns.has(name) ? 'p' : 's'}.${name}`
  }),
  'p.host::text',
].join(', ')

/** A row of these. */
export type FoundPage = readonly [...PageRow, host: Key]

/** The key of a page's queue; null outside of crawls, where its address names its host. */
export const queueKey = `(select h.name from collections c cross join lateral (
  select name from hosts where hosts.key = p.host offset 0) as h
  where c.id = p.collection and c.queued)`

/** Both halves of pages, found from `chosen (host, page)`. */
export const wholePages = `
  cross join lateral (
    select * from pages
    where pages.host = chosen.host and pages.page = chosen.page offset 0) as p
  cross join lateral (
    select * from page_states where page_states.host = chosen.host
      and page_states.page = chosen.page offset 0) as s`

/**
 * Leases of the pages `$1` and `$2` (and of the tokens `$3`), for statements that
 * change them: looked up first, and then found by where they lie, as `which` says.
 * A list joined with the table that is changed would have all leases read wherever
 * the server takes that table for empty. The host tells the part of a split table.
 */
export function leasesOfPages(tokens: '' | 'with tokens' = ''): string {
  const [arrays, names, ours] =
    tokens === '' ? ['', '', ''] : [', $3::bigint[]', ', token', 'and leases.token = wanted.token']
  return `(
    select lease.* from ${rowsGiven(`$1::bigint[], $2::bigint[]${arrays}`)} as wanted (host, page${names})
      cross join lateral (
        select leases.host, leases.ctid as place from leases
        where leases.host = wanted.host and leases.page = wanted.page ${ours} offset 0) as lease
  ) as found`
}
export const whichLeases = 'l.host = found.host and l.ctid = found.place'

/** Ends the leases of pages. */
export const endLeases = statement(
  `delete from leases l using ${leasesOfPages()} where ${whichLeases}`,
)

/** A host that is locked for a lease. */
export interface Candidate {
  readonly key: Key
  readonly ready: number
  readonly number: number
  readonly name: string
  readonly state: string | null
  readonly blockedUntil: number | null
  readonly token: number | null
  readonly step: number | null
}

type CandidateRow = readonly [
  Key,
  number,
  number,
  string,
  string | null,
  number | null,
  number | null,
  number | null,
]

const candidate = `
  f.host::text as host, f.ready, f.number, h.name, h.state, h.blocked_until, h.token, h.step
  from frontier f cross join lateral (
    select name, state, blocked_until, token, step from hosts where hosts.key = f.host
    for no key update skip locked) as h
  where f.ready <= $2
    and not exists (select 1 from collections c where c.id = $1 and c.queued)`
const inOrder = 'order by f.ready, f.number limit $3'

/** A host that is held has room left, and a page that is due and not leased. */
const hasRoom = `
  $5::bigint > (select count(*) from leases l where l.host = f.host and l.expires > $2)
  and exists (
    select 1 from page_states s
    where s.host = f.host and s.collection = f.collection and s.due <= $2
      and not exists (select 1 from leases l
        where l.host = s.host and l.page = s.page and l.expires > $2 offset 0)
    offset 0)`
/** By this worker, or by several: what the others had may have run out. Found by the holder's name, as others may hold far more. */
const heldByUs = `f.held_until + 0 > $2 and f.holder in ($4, '${severalWorkers}') and $5::bigint > 1`

/**
 * Locks hosts that are ready, in the order they became so, and passes over
 * those that another worker has locked. Its cost goes with what is leased and
 * what this worker holds, not with what is stored or held by others.
 */
const lockReady = statement(`
  with rest as materialized (
    select ${candidate} and f.collection = $1 and f.held_until is null ${inOrder}
  ), run_out as materialized (
    select ${candidate} and f.collection = $1 and f.held_until <= $2 and ${hasRoom} ${inOrder}
  ), held as materialized (
    select ${candidate} and f.collection + 0 = $1 and ${heldByUs} and ${hasRoom} ${inOrder}
  )
  select * from rest union all select * from run_out union all select * from held
  order by ready, number limit $3`)

/** The same for one host. */
const lockNamed = statement(`
  select ${candidate} and f.collection = $1 and f.host = $6::bigint
    and (f.held_until is null or ((f.held_until <= $2 or ${heldByUs}) and ${hasRoom}))
  ${inOrder}`)

/** What the leases of a host that is locked leave of its room, now that nobody else can lease. */
const leasesOfHost = `
  select count(*) filter (where l.expires > $3) as held,
    count(*) filter (where l.expires > $3 and l.worker <> $4) as others,
    max(l.token) filter (where l.expires <= $3 and l.worker <> $4) as left_token
  from leases l where l.host = chosen.host`

/** Of each host the pages that are longest due and not leased, as many as it has room for. */
const pick = statement(`
  select chosen.place::int, due_page.page, room.left_token
  from ${rowsGiven('$1::bigint[]', 'with ordinality')} as chosen (host, place)
    cross join lateral (
      select from frontier f
      where f.host = chosen.host and f.collection = $2 and f.ready <= $3 offset 0) as f
    cross join lateral (${leasesOfHost}) as room
    cross join lateral (
      select s.page, s.due from page_states s
      where s.host = chosen.host and s.collection = $2 and s.due <= $3
        and not exists (select 1 from leases l
          where l.host = s.host and l.page = s.page and l.expires > $3 offset 0)
      order by s.due, s.page
      limit case when room.others > 0 then 0
        else least(greatest($5::bigint - room.held, 0), $6::bigint) end
    ) as due_page
  order by chosen.place, due_page.due, due_page.page`)

/** What of a host may be leased when pages are asked for by name. */
const roomOf = statement(`
  select case when room.others > 0 then 0 else greatest($2::bigint - room.held, 0) end,
    room.left_token
  from ${rowsGiven('$1::bigint[]', 'with ordinality')} as chosen (host, place)
    cross join lateral (${leasesOfHost}) as room
  order by chosen.place`)

/** A page that was picked, with what another worker left of its host. */
interface Picked extends PageKey {
  readonly leftToken: number | null
}

/** Finds pages that are due and free, host by host, and locks their hosts. */
export const duePages = {
  /** Hosts for as many pages, in the order they are to be visited, locked. */
  async lock(
    session: Session,
    { now, limit, perHost, ahead = perHost, worker }: LeaseRequest,
    { collection, host }: { readonly collection: number; readonly host: Key | undefined },
  ): Promise<Candidate[]> {
    const asked = [collection, now, limit, worker, ahead]
    const rows =
      host === undefined
        ? await session.rows<CandidateRow>(lockReady, asked)
        : await session.rows<CandidateRow>(lockNamed, [...asked, host])
    return rows.map(([key, ready, number, name, state, blockedUntil, token, step]) => ({
      ...{ key, ready, number, name, state, blockedUntil, token, step },
    }))
  },

  /** The first page of each host, then the second, up to the room and the limit. */
  async pick(
    session: Session,
    hosts: readonly Candidate[],
    request: LeaseRequest & { readonly collectionId: number },
  ): Promise<Picked[]> {
    const { now, limit, perHost, ahead = perHost, worker, collectionId } = request
    const keys = hosts.map(({ key }) => key)
    const picked = async (some: readonly Key[], most: number) => {
      const turns: Picked[][] = some.map(() => [])
      const values = [some, collectionId, now, worker, ahead, most]
      type Row = readonly [number, number, number | null]
      for (const [place, page, leftToken] of await session.rows<Row>(pick, values))
        turns[place - 1]!.push({ host: some[place - 1]!, page, leftToken })
      return turns
    }
    // Most hosts have as many as their share; what is read beyond it would be read for nothing.
    const share = Math.ceil(limit / keys.length)
    const turns = await picked(keys, share)
    const found = turns.reduce((sum, { length }) => sum + length, 0)
    const more =
      found < limit && ahead > share ? keys.filter((_, at) => turns[at]!.length === share) : []
    if (more.length > 0) {
      const further = await picked(more, limit)
      more.forEach((key, at) => {
        turns[keys.indexOf(key)] = further[at]!
      })
    }
    return inTurn(turns, limit)
  },

  /** Those of free pages that may be visited now, in the order given; their hosts are locked. */
  async withinRoom(
    session: Session,
    pages: readonly PageKey[],
    terms: {
      readonly now: number
      readonly worker: string
      /** Undefined where it is no matter. */
      readonly ahead: number | undefined
      readonly blockedUntil: (host: Key) => number | null
    },
  ): Promise<Picked[]> {
    const { now, worker, ahead, blockedUntil } = terms
    const hosts = [...new Set(pages.map(({ host }) => host))]
    type Row = readonly [number, number | null]
    const rows = await session.rows<Row>(roomOf, [hosts, ahead ?? 0, now, worker])
    const rooms = new Map(hosts.map((host, at) => [host, rows[at]![0]]))
    const left = new Map(hosts.map((host, at) => [host, rows[at]![1]]))
    const chosen = pages.filter(({ host }) => {
      if (ahead === undefined) return true
      const room = (blockedUntil(host) ?? now) > now ? 0 : rooms.get(host)!
      rooms.set(host, room - 1)
      return room > 0
    })
    return chosen.map((page) => ({ ...page, leftToken: left.get(page.host)! }))
  },
}

/** One of each, then the next of each. */
function inTurn(turns: readonly (readonly Picked[])[], limit: number): Picked[] {
  const all: Picked[] = []
  for (let round = 0; all.length < limit; round++) {
    const next = turns.flatMap((pages) => pages[round] ?? [])
    if (next.length === 0) break
    all.push(...next.slice(0, limit - all.length))
  }
  return all
}
