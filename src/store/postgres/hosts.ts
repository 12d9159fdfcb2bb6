import { type HostList, type HostQuery, type HostRecord, mayReplace } from '../../model/lease.js'
import type { Json } from '../../model/units.js'
import { KnownNames } from '../known-names.js'
import type { WrittenHost } from '../report-rows.js'
import { hostKey, type Key, keyTaken } from './keys.js'
import { type Database, rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

/** A host as its row has it, under its lock. */
export interface LockedHost {
  readonly key: Key
  readonly name: string
  /** Its place in the order in which hosts were first met. */
  readonly number: number
  /** The number of the last page that it was given. */
  readonly lastPage: number
  readonly state: string | null
  readonly blockedUntil: number | null
  readonly hints: string | null
  readonly token: number | null
  readonly step: number | null
}

type HostRow = readonly [
  key: Key,
  name: string,
  number: number,
  lastPage: number,
  state: string | null,
  blockedUntil: number | null,
  hints: string | null,
  token: number | null,
  step: number | null,
]

const columns = 'key::text, name, number, last_page, state, blocked_until, hints, token, step'

/** In one order for all, so that no two wait for each other. */
const lock = statement(`
  select ${columns} from hosts where key = any($1::bigint[]) order by hosts.key for no key update`)

/** Numbered in the order they are given, written in that of their keys: two who write the same do not wait for each other. */
const insert = statement(`
  insert into hosts (key, name, number)
  select key, name, number from (
    select key, name, nextval('host_numbers') as number
    from ${rowsGiven('$1::bigint[], $2::text[]')} as fresh (key, name)
  ) as numbered order by key
  on conflict do nothing`)

const get = statement(`select ${columns} from hosts where key = $1::bigint`)

const write = statement(`
  update hosts set state = fresh.state, blocked_until = fresh.blocked_until, hints = fresh.hints,
    token = fresh.token, step = fresh.step
  from ${rowsGiven('$1::bigint[], $2::text[], $3::float8[], $4::text[], $5::bigint[], $6::bigint[]')} as fresh (key, state, blocked_until, hints, token, step)
  where hosts.key = fresh.key`)

const fence = statement('update hosts set token = $2, step = 0 where key = $1::bigint')

/**
 * Hosts by their keys. The row of a host is the lock of all that belongs to it,
 * over all collections: its pages, leases and versions are written by who has
 * it, for the length of a transaction.
 */
export class Hosts {
  /** Locks hosts that are there; those that are not are left out. */
  async locked(session: Session, keys: Iterable<Key>): Promise<Map<Key, LockedHost>> {
    const rows = await session.rows<HostRow>(lock, [[...new Set(keys)]])
    return new Map(rows.map((row) => [row[0], lockedHost(row)]))
  }

  /** Locks hosts by name, new if need be, in the order in which they are given. */
  async ensured(session: Session, names: Iterable<string>): Promise<Map<Key, LockedHost>> {
    const wanted = new Map(Array.from(new Set(names), (name) => [hostKey(name), name]))
    let hosts = await this.locked(session, wanted.keys())
    const missing = [...wanted].filter(([key]) => !hosts.has(key))
    if (missing.length > 0) {
      await session.run(insert, [missing.map(([key]) => key), missing.map(([, name]) => name)])
      const added = await this.locked(session, wanted.keys())
      hosts = added
    }
    for (const [key, name] of wanted) {
      const { name: by } = hosts.get(key)!
      if (by !== name) throw keyTaken('host', name, by)
    }
    return hosts
  }

  async get(session: Session, name: string): Promise<HostRecord | null> {
    const row = await session.first<HostRow>(get, [hostKey(name)])
    if (row === undefined || row[1] !== name) return null
    const host = lockedHost(row)
    const record = hostRecord(host)
    if (record === null || host.hints === null) return record
    return { ...record, hints: JSON.parse(host.hints) as Json }
  }

  /**
   * Writes records to hosts that are locked; of each whether it was: not where
   * the store has a newer one. Hints are in any case. What is left to be done is
   * to settle them in the frontier.
   */
  async put(
    session: Session,
    records: readonly WrittenHost[],
    hosts: ReadonlyMap<Key, LockedHost>,
  ): Promise<boolean[]> {
    const after = new Map<Key, LockedHost>()
    const written = records.map((record) => {
      const key = hostKey(record.host)
      const before = after.get(key) ?? hosts.get(key)!
      const isNewer = mayReplace(
        fenced(record.token, record.step),
        fenced(before.token, before.step).fence,
      )
      const hints = record.hints ?? before.hints
      after.set(key, isNewer ? replaced(before, record, hints) : { ...before, hints })
      return isNewer
    })
    const rows = [...after.values()]
    if (rows.length > 0)
      await session.run(write, [
        rows.map(({ key }) => key),
        rows.map(({ state }) => state),
        rows.map(({ blockedUntil }) => blockedUntil),
        rows.map(({ hints }) => hints),
        rows.map(({ token }) => token),
        rows.map(({ step }) => step),
      ])
    return written
  }

  /** From now on no record that was made under an older token is written. */
  async fence(session: Session, key: Key, token: number): Promise<void> {
    await session.run(fence, [key, token])
  }
}

/** A record without a fence keeps the one that is there. */
function replaced(before: LockedHost, record: WrittenHost, hints: string | null): LockedHost {
  const { state, until, token, step } = record
  const order = token === null ? {} : { token, step }
  return { ...before, state, blockedUntil: until, hints, ...order }
}

function fenced(token: number | null, step: number | null): Pick<HostRecord, 'fence'> {
  return token === null ? {} : { fence: { token, step: step ?? 0 } }
}

function lockedHost(row: HostRow): LockedHost {
  const [key, name, number, lastPage, state, blockedUntil, hints, token, step] = row
  return { key, name, number, lastPage, state, blockedUntil, hints, token, step }
}

/** The record of a host, without its hints; null where nothing is known. */
export function hostRecord(
  host: Pick<LockedHost, 'name' | 'state' | 'blockedUntil' | 'token' | 'step'>,
): HostRecord | null {
  const { name, state, blockedUntil, token, step } = host
  if (state === null) return null
  return { host: name, state: JSON.parse(state) as Json, blockedUntil, ...fenced(token, step) }
}

type SummaryRow = readonly [string, number, number | null, number | null, number | null]

const list = statement(`
  select hosts.name, frontier.pages, frontier.due, frontier.blocked, frontier.served
  from hosts join frontier on frontier.host = hosts.key
  where frontier.collection = $1 and hosts.name collate "C" > $2
    and ($3::text is null or strpos(hosts.name, $3) > 0)
    and ($4::float8 is null or frontier.blocked > $4)
  order by hosts.name collate "C" limit $5`)

/** Hosts of a collection by name, stretch by stretch. Reads the frontier: one row for each host. */
export async function listHosts(
  db: Database,
  query: HostQuery,
  collection: number,
): Promise<HostList> {
  const { nameContains = null, restingAt = null, after = '', limit } = query
  const rows = await db.read((session) =>
    session.rows<SummaryRow>(list, [collection, after, nameContains, restingAt, limit + 1]),
  )
  const hosts = rows.slice(0, limit).map(([host, pages, firstDue, blockedUntil, lastVisit]) => ({
    ...{ host, pages, firstDue, blockedUntil, lastVisit },
  }))
  return { hosts, next: rows.length > limit ? (hosts.at(-1)?.host ?? null) : null }
}

const findName = statement('select id from collections where name = $1')
const addName = statement('insert into collections (name) values ($1) on conflict do nothing')
const nameOf = statement('select name from collections where id = $1')
const isQueued = statement('select queued from collections where id = $1')
const allNames = statement('select name from collections order by name collate "C"')

/** In milliseconds: whether a collection has become a crawl. */
const askAgain = 5000

/** Collections by name: the small integers that stand for them in this database. They are never taken away. */
export class Collections {
  readonly #db: Database
  readonly #known = new KnownNames()
  /** Once a crawl, always one; until when another is known not to be. */
  readonly #crawls = new Map<number, number>()

  constructor(db: Database) {
    this.#db = db
  }

  /** The id of a name; 0, which none has, where there is no such collection. */
  async find(name: string): Promise<number> {
    const known = this.#known.id(name)
    if (known !== undefined) return known
    const row = await this.#db.read((session) => session.first<[number]>(findName, [name]))
    if (row !== undefined) this.#known.keep(name, row[0])
    return row?.[0] ?? 0
  }

  /** The id of a name, new if need be. */
  async ensure(name: string): Promise<number> {
    const known = await this.find(name)
    if (known !== 0) return known
    await this.#db.write((session) => session.run(addName, [name]))
    return this.find(name)
  }

  /** Asked on the connection of whoever has one: another may not be free before it is. */
  async nameOf(id: number, session?: Session): Promise<string> {
    const known = this.#known.name(id)
    if (known !== undefined) return known
    const ask = (on: Session) => on.first<[string]>(nameOf, [id])
    const row = await (session === undefined ? this.#db.read(ask) : ask(session))
    const name = row?.[0] ?? ''
    this.#known.keep(name, id)
    return name
  }

  /** Whether a collection is a crawl of the frontier, as of some seconds ago: what must be sure is asked by the statement itself. */
  async isCrawl(id: number): Promise<boolean> {
    const known = this.#crawls.get(id)
    if (known !== undefined && performance.now() < known) return known === Infinity
    const row = await this.#db.read((session) => session.first<[boolean]>(isQueued, [id]))
    this.#crawls.set(id, row?.[0] === true ? Infinity : performance.now() + askAgain)
    return row?.[0] === true
  }

  /** It has become one. */
  noteCrawl(id: number): void {
    this.#crawls.set(id, Infinity)
  }

  async all(): Promise<string[]> {
    const rows = await this.#db.read((session) => session.rows<[string]>(allNames))
    return rows.map(([name]) => name)
  }
}
