import { sql } from 'kysely'
import type { HostList, HostQuery, HostRecord, HostSummary } from '../../model/lease.js'
import type { Json } from '../../model/units.js'
import { KnownNames } from '../known-names.js'
import type { WrittenHost } from '../report-rows.js'
import type { Database } from './file/database.js'
import type { Frontier } from './frontier.js'

/** Collections and hosts by name: the small integers that stand for them in this file. */
export class Names {
  readonly #table: 'collections' | 'hosts'
  readonly #known = new KnownNames()
  readonly #find
  readonly #add
  readonly #name
  readonly #all

  constructor(db: Database, table: 'collections' | 'hosts') {
    this.#table = table
    this.#find = db.statement((q, slot) =>
      q.selectFrom(this.#table).select('id').where('name', '=', slot('name')),
    )
    this.#name = db.statement((q, slot) =>
      q.selectFrom(this.#table).select('name').where('id', '=', slot('id')),
    )
    this.#all = db.statement((q) => q.selectFrom(this.#table).select('name').orderBy('name'))
    this.#add = db.statement((q, slot) => q.insertInto(this.#table).values({ name: slot('name') }))
    // An id given in a transaction that was undone may be given again to another name.
    db.onUndo(() => this.#known.clear())
  }

  /** The id of a name; undefined where the store has none. */
  find(name: string): number | undefined {
    const id = this.#known.id(name) ?? this.#find().first({ name })?.id
    if (id !== undefined) this.#known.keep(name, id)
    return id
  }

  /** The id of a name, new if need be; within a transaction that writes. */
  ensure(name: string): number {
    const known = this.find(name)
    if (known !== undefined) return known
    const id = this.#add().insert({ name })
    this.#known.keep(name, id)
    return id
  }

  nameOf(id: number): string {
    const name = this.#known.name(id) ?? this.#name().first({ id })?.name ?? ''
    this.#known.keep(name, id)
    return name
  }

  all(): string[] {
    return this.#all()
      .all()
      .map(({ name }) => name)
  }
}

/** A host's record as its row has it; the thread parses what it needs. */
export interface HostRow {
  readonly id: number
  readonly name: string
  readonly state: string | null
  readonly blocked_until: number | null
  readonly token: number | null
  readonly step: number | null
}

/** What politeness remembers of hosts. */
export class Hosts {
  readonly #names: Names
  readonly #frontier: Frontier
  readonly #get
  readonly #put
  readonly #putHints
  readonly #rows
  readonly #fence

  constructor(parts: {
    readonly db: Database
    readonly hosts: Names
    readonly frontier: Frontier
  }) {
    this.#names = parts.hosts
    this.#frontier = parts.frontier
    this.#get = parts.db.statement((q, slot) =>
      q
        .selectFrom('hosts')
        .select(['id', 'name', 'state', 'blocked_until', 'hints', 'token', 'step'])
        .where('name', '=', slot('name'))
        .where('state', 'is not', null),
    )
    // A record without a fence keeps the one that is there.
    this.#put = parts.db.statement((q, slot) =>
      q
        .updateTable('hosts')
        .set({
          state: slot('state'),
          blocked_until: slot('until'),
          hints: sql`coalesce(${slot('hints')}, hints)`,
          token: sql`coalesce(${slot('token')}, token)`,
          step: sql`iif(${slot('token')} is null, step, ${slot('step')})`,
        })
        .where('id', '=', slot('id'))
        .where(
          sql<boolean>`(${slot('token')} is null or token is null
            or (token, step) <= (${slot('token')}, ${slot('step')}))`,
        )
        .returning('id'),
    )
    this.#putHints = parts.db.statement((q, slot) =>
      q
        .updateTable('hosts')
        .set({ hints: slot('hints') })
        .where('id', '=', slot('id')),
    )
    this.#rows = parts.db.statement(
      (_, slot) => sql<HostRow>`
        select hosts.id, name, state, blocked_until, token, step
        from json_each(${slot('ids')}) as wanted
        cross join hosts on hosts.id = wanted.value`,
    )
    this.#fence = parts.db.statement((q, slot) =>
      q
        .updateTable('hosts')
        .set({ token: slot('token'), step: 0 })
        .where('id', '=', slot('id')),
    )
  }

  get(host: string): HostRecord | null {
    const row = this.#get().first({ name: host })
    if (row === undefined) return null
    const record = hostRecord(row)
    if (record === null || row.hints === null) return record
    return { ...record, hints: JSON.parse(row.hints) as Json }
  }

  /** By their numbers, without their hints. */
  rows(ids: ReadonlySet<number>): HostRow[] {
    return this.#rows().all({ ids: JSON.stringify([...ids]) })
  }

  /** From now on no record that was made under an older token is written. */
  fence(id: number, token: number): void {
    this.#fence().execute({ id, token })
  }

  /** Whether it was written: not where the store has a newer one. Hints are. */
  put({ host, state, until, hints, token, step }: WrittenHost): boolean {
    const id = this.#names.ensure(host)
    const written = this.#put().first({ id, state, until, hints, token, step }) !== undefined
    if (written) this.#frontier.blocked(id, until)
    else if (hints !== null) this.#putHints().execute({ id, hints })
    return written
  }
}

/** The record of a row; null where nothing is known. */
export function hostRecord(row: HostRow): HostRecord | null {
  if (row.state === null) return null
  const fence = row.token === null ? {} : { fence: { token: row.token, step: row.step ?? 0 } }
  const state = JSON.parse(row.state) as Json
  return { host: row.name, state, blockedUntil: row.blocked_until, ...fence }
}

/** Hosts of a collection by name, stretch by stretch. Reads the frontier: one row for each host. */
export class HostLists {
  readonly #list

  constructor(db: Database) {
    this.#list = db.statement(
      (_, slot) => sql<HostSummary>`
        select hosts.name as host, frontier.pages, frontier.due as firstDue,
          frontier.blocked as blockedUntil, frontier.served as lastVisit
        from frontier join hosts on hosts.id = frontier.host
        where frontier.collection = ${slot('collection')} and hosts.name > ${slot('after')}
          and (${slot('contains')} is null or instr(hosts.name, ${slot('contains')}) > 0)
          and (${slot('resting')} is null or frontier.blocked > ${slot('resting')})
        order by hosts.name limit ${slot('limit')}`,
    )
  }

  list({ nameContains, restingAt, after, limit }: HostQuery, collection: number): HostList {
    const rows = this.#list().all({
      collection,
      after: after ?? '',
      contains: nameContains ?? null,
      resting: restingAt ?? null,
      limit: limit + 1,
    })
    const hosts = rows.slice(0, limit).map((row) => ({ ...row }))
    return { hosts, next: rows.length > limit ? (hosts.at(-1)?.host ?? null) : null }
  }
}
