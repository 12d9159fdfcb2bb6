import type {
  ChosenRequest,
  HostHold,
  HostRecord,
  Lease,
  LeaseRef,
  LeaseRequest,
  LeaseTerms,
} from '../../model/lease.js'
import { queueWorker } from '../../model/queue.js'
import { pageFrom } from '../page-row.js'
import { writtenHost } from '../report-rows.js'
import { checkChosenRequest, checkLeaseRequest, checkTerms } from '../request-checks.js'
import { column, type PageRow } from '../schema.js'
import {
  type Candidate,
  columnsOfPage,
  duePages,
  endLeases,
  leasesOfPages,
  whichLeases,
  wholePages,
} from './due-pages.js'
import { severalWorkers, Touched } from './frontier.js'
import { type Collections, type Hosts, hostRecord, type LockedHost } from './hosts.js'
import { hostKey, type Key, type PageKey, pageId, pageKey } from './keys.js'
import type { Pages } from './pages.js'
import { type Database, rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

/** The page of a lease that holds a host for itself. */
const noPage = 0

/** Leases pages and hands them over, in the order given, by tokens that grow; and notes who has their hosts. */
const give = statement(`
  with chosen as materialized (
    select host, page, place, nextval('lease_tokens') as token
    from ${rowsGiven('$1::bigint[], $2::bigint[]', 'with ordinality')} as wanted (host, page, place)
  ), given as (
    insert into leases (host, page, collection, token, expires, worker)
    select chosen.host, chosen.page, p.collection, token, $3::float8, $4::text
    from chosen cross join lateral (
      select collection from page_states s
      where s.host = chosen.host and s.page = chosen.page offset 0) as p
    on conflict (host, page) do update set token = excluded.token, expires = excluded.expires,
      worker = excluded.worker, due_set = false
  ), held as (
    update frontier set holder = $4,
      held_until = greatest($3, case when holder in ($4, '${severalWorkers}') then held_until end)
    from ${rowsGiven('$5::bigint[]')} as by_us (host) where frontier.host = by_us.host
  ), fenced as (
    update hosts set token = (select min(token) from chosen), step = 0
    from ${rowsGiven('$6::bigint[]')} as left_by_others (key) where hosts.key = left_by_others.key
  )
  select ${columnsOfPage}, chosen.token from chosen ${wholePages} order by chosen.place`)

/** A lease of the frontier counts until a turn of its queue has ended it. Pages of a crawl are held for a plan, and visited by its clients alone. */
const free = statement(`
  select chosen.host::text, chosen.page
  from ${rowsGiven('$1::bigint[], $2::bigint[]', 'with ordinality')} as chosen (host, page, place)
    cross join lateral (
      select from page_states s where s.host = chosen.host and s.page = chosen.page
        and not exists (select 1 from leases l
          where l.host = s.host and l.page = s.page
            and (l.expires > $3 or l.worker = '${queueWorker}') offset 0)
        and not ($4 and exists (
          select 1 from collections c where c.id = s.collection and c.queued))
      offset 0) as s
  order by chosen.place`)

const extend = statement(`
  update leases l set expires = $4 from ${leasesOfPages('with tokens')} where ${whichLeases}
  returning l.host::text, l.page, l.token`)

const release = statement(`
  delete from leases l using ${leasesOfPages('with tokens')} where ${whichLeases}
  returning l.host::text, l.page, l.token`)

const workers = `select distinct worker from leases where worker <> '${queueWorker}'`
const hostsOf = statement('select distinct host::text from leases where worker = $1')
const releaseWorker = statement(`
  delete from leases where worker = $1 and host = any($2::bigint[]) returning page`)

const taken = statement(`
  select 1 from leases where host = $1::bigint and expires > $2 and (worker <> $3 or page = ${noPage})
  limit 1`)
const others = statement(`
  select asked.key::text from ${rowsGiven('$1::bigint[]')} as asked (key)
  where exists (
    select 1 from leases l where l.host = asked.key and l.worker <> $2 and l.expires > $3 offset 0)`)
const left = statement(`
  select max(token) from leases where host = $1::bigint and expires <= $2 and worker <> $3`)
const take = statement(`
  insert into leases (host, page, collection, token, expires, worker)
  values ($1::bigint, ${noPage}, 0, nextval('lease_tokens'), $2, $3)
  on conflict (host, page) do update set token = excluded.token, expires = excluded.expires,
    worker = excluded.worker
  returning token`)

/** What one process asks for when it wants a host. */
export type HoldRequest = LeaseTerms & { readonly host: string }

type Host = Pick<LockedHost, 'key' | 'name' | 'state' | 'blockedUntil' | 'token' | 'step'>

/** Leases: given, held, taken back. */
export class Leases {
  readonly #db: Database
  readonly #pages: Pages
  readonly #hosts: Hosts
  readonly #collections: Collections

  constructor(parts: {
    readonly db: Database
    readonly pages: Pages
    readonly hosts: Hosts
    readonly collections: Collections
  }) {
    this.#db = parts.db
    this.#pages = parts.pages
    this.#hosts = parts.hosts
    this.#collections = parts.collections
  }

  async due(request: LeaseRequest): Promise<Lease[]> {
    checkLeaseRequest(request)
    const collection = await this.#collections.find(request.collection)
    if (collection === 0 || request.limit === 0) return []
    const host = request.host === undefined ? undefined : hostKey(request.host)
    return this.#db.writeLightly(async (session) => {
      const hosts = await duePages.lock(session, request, { collection, host })
      if (hosts.length === 0) return []
      const pages = await duePages.pick(session, hosts, { ...request, collectionId: collection })
      const locked = new Map<Key, Candidate>(hosts.map((each) => [each.key, each]))
      return this.#given(session, { pages, hosts: locked, terms: request })
    })
  }

  async chosen(request: ChosenRequest): Promise<Lease[]> {
    const { pages, now, worker, perHost, ahead = perHost } = request
    checkChosenRequest(request)
    const keys = await this.#pages.locateAll(pages)
    if (keys.length === 0) return []
    return this.#db.writeLightly(async (session) => {
      const hosts = await this.#hosts.locked(
        session,
        keys.map(({ host }) => host),
      )
      const places = [keys.map(({ host }) => host), keys.map(({ page }) => page)]
      const visiting = perHost !== undefined
      const rows = await session.rows<readonly [Key, number]>(free, [...places, now, visiting])
      const blockedUntil = (host: Key) => hosts.get(host)!.blockedUntil
      const found = rows.map(([key, page]) => ({ host: key, page }))
      const terms = { now, worker, ahead, blockedUntil }
      const picked = await duePages.withinRoom(session, found, terms)
      const leases = await this.#given(session, { pages: picked, hosts, terms: request })
      // Another worker may hold further pages of the host: that is read from the leases.
      await settled(session, picked)
      return leases
    })
  }

  async extend(leases: readonly LeaseRef[], until: number): Promise<boolean[]> {
    return this.#ours(leases, (session, places) =>
      session.rows<OursRow>(extend, [...places, until]),
    )
  }

  /** Of each whether it was still ours; one that is named twice is given back once. */
  async release(leases: readonly LeaseRef[]): Promise<number> {
    let released = 0
    await this.#ours(leases, async (session, places) => {
      const rows = await session.rows<OursRow>(release, places)
      released = rows.length
      return rows
    })
    return released
  }

  /** Ends the leases of pages that were visited; their hosts are locked and to be settled. */
  async end(session: Session, pages: readonly PageKey[]): Promise<void> {
    if (pages.length === 0) return
    await session.run(endLeases, [pages.map(({ host }) => host), pages.map(({ page }) => page)])
  }

  async workers(): Promise<string[]> {
    const rows = await this.#db.read((session) => session.once<{ worker: string }>(workers))
    return rows.map(({ worker }) => worker)
  }

  /** How many pages: hosts that it held for themselves are free too. */
  async releaseWorker(session: Session, worker: string): Promise<number> {
    // No process of that name can be gone: any node takes the reports of the frontier.
    if (worker === queueWorker) return 0
    const held = await session.rows<[Key]>(hostsOf, [worker])
    const keys = held.map(([key]) => key)
    await this.#hosts.locked(session, keys)
    const pages = await session.rows<[number]>(releaseWorker, [worker, keys])
    await settled(
      session,
      keys.map((host) => ({ host })),
    )
    return pages.filter(([page]) => page !== noPage).length
  }

  /** Which of some hosts, which are locked, another worker has. */
  async heldByOthers(
    session: Session,
    hosts: ReadonlyMap<Key, unknown>,
    { worker, now }: Pick<LeaseTerms, 'worker' | 'now'>,
  ): Promise<ReadonlySet<Key>> {
    const rows = await session.rows<[Key]>(others, [[...hosts.keys()], worker, now])
    return new Set(rows.map(([key]) => key))
  }

  async hold(request: HoldRequest): Promise<HostHold | null> {
    checkTerms(request)
    const { host, now, ttl, worker } = request
    const key = hostKey(host)
    const isTaken = async (session: Session) =>
      (await session.first(taken, [key, now, worker])) !== undefined
    // Without a transaction that writes, for those who ask again and again.
    if (await this.#db.read(isTaken)) return null
    return this.#db.writeLightly(async (session) => {
      const locked = (await this.#hosts.ensured(session, [host])).get(key)!
      if (await isTaken(session)) return null
      const [leftToken] = (await session.first<[number | null]>(left, [key, now, worker]))!
      const expiresAt = now + ttl
      const [token] = (await session.first<[number]>(take, [key, expiresAt, worker]))!
      const isLeft = leftToken !== null && leftToken >= (locked.token ?? 0)
      if (isLeft) await this.#hosts.fence(session, key, token)
      await settled(session, [{ host: key }])
      const record = hostRecord(isLeft ? { ...locked, token, step: 0 } : locked)
      return { host, token, worker, expiresAt, record }
    })
  }

  async giveBack({ host, token }: Pick<HostHold, 'host' | 'token'>, record?: HostRecord) {
    const key = hostKey(host)
    return this.#db.write(async (session) => {
      const names = record === undefined || record.host === host ? [host] : [host, record.host]
      const hosts = await this.#hosts.ensured(session, names)
      if (record !== undefined) await this.#hosts.put(session, [writtenHost(record)], hosts)
      const rows = await session.rows<OursRow>(release, [[key], [noPage], [token]])
      await settled(
        session,
        [...hosts.keys()].map((each) => ({ host: each })),
      )
      return rows.length > 0
    })
  }

  /** Does to leases what is asked, under the locks of their hosts; of each whether it was still ours. */
  async #ours(
    leases: readonly LeaseRef[],
    act: (
      session: Session,
      places: readonly (readonly (string | number)[])[],
    ) => Promise<OursRow[]>,
  ): Promise<boolean[]> {
    const keys = leases.map(({ page }) => pageKey(page.id))
    const known = leases.flatMap(({ token }, at) => {
      const key = keys[at]
      return key === undefined ? [] : [{ ...key, token }]
    })
    if (known.length === 0) return leases.map(() => false)
    const rows = await this.#db.writeLightly(async (session) => {
      await this.#hosts.locked(
        session,
        known.map(({ host }) => host),
      )
      const found = await act(session, [
        known.map(({ host }) => host),
        known.map(({ page }) => page),
        known.map(({ token }) => token),
      ])
      await settled(
        session,
        found.map(([host]) => ({ host })),
      )
      return found
    })
    const ours = new Set(rows.map(([host, page, token]) => `${pageId({ host, page })} ${token}`))
    return leases.map(({ page, token }) => ours.has(`${page.id} ${token}`))
  }

  async #given(
    session: Session,
    {
      pages,
      hosts,
      terms: { now, ttl, worker },
    }: {
      readonly pages: readonly (PageKey & { readonly leftToken: number | null })[]
      readonly hosts: ReadonlyMap<Key, Host>
      readonly terms: LeaseTerms
    },
  ): Promise<Lease[]> {
    if (pages.length === 0) return []
    const expiresAt = now + ttl
    // Another worker let a lease of the host run out. It may still be at work: its records are too old from now on.
    const isLeft = ({ host, leftToken }: (typeof pages)[number]) =>
      leftToken !== null && leftToken >= (hosts.get(host)!.token ?? 0)
    const fenced = new Set(pages.filter(isLeft).map(({ host }) => host))
    const rows = await session.rows<GivenRow>(give, [
      pages.map(({ host }) => host),
      pages.map(({ page }) => page),
      expiresAt,
      worker,
      [...new Set(pages.map(({ host }) => host))],
      [...fenced],
    ])
    const records = new Map<Key, HostRecord | null>()
    const firstToken = rows[0]!.at(-1) as number
    const leases: Lease[] = []
    for (const row of rows) {
      const key = row.at(-2) as Key
      const token = row.at(-1) as number
      const host = hosts.get(key)!
      if (!records.has(key))
        records.set(
          key,
          hostRecord(fenced.has(key) ? { ...host, token: firstToken, step: 0 } : host),
        )
      const pageRow = row as unknown as PageRow
      const id = pageId({ host: key, page: pageRow[column.id] })
      const collection = await this.#collections.nameOf(pageRow[column.collection], session)
      const page = pageFrom(pageRow, collection, host.name, id)
      leases.push({
        page,
        host: host.name,
        token,
        worker,
        expiresAt,
        hostRecord: records.get(key)!,
      })
    }
    return leases
  }
}

type OursRow = readonly [host: Key, page: number, token: number]
type GivenRow = readonly [...PageRow, host: Key, token: number]

async function settled(session: Session, places: readonly { readonly host: Key }[]): Promise<void> {
  const touched = new Touched()
  for (const { host } of places) touched.add(host)
  await touched.settle(session)
}
