import { sql } from 'kysely'
import type { HostRecord, Json } from '../../model/index.js'
import type { Database } from './database.js'
import type { Frontier } from './frontier.js'
import type { Names } from './names.js'
import type { WrittenHost } from './written-visit.js'

/** A host's record as its row has it; the thread parses what it needs. */
export interface HostRow {
  readonly id: number
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
        .select(['id', 'state', 'blocked_until', 'hints', 'token', 'step'])
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
        select hosts.id, state, blocked_until, token, step from json_each(${slot('ids')}) as wanted
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
    const record = hostRecord(host, row)
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
export function hostRecord(host: string, row: Omit<HostRow, 'id'>): HostRecord | null {
  if (row.state === null) return null
  const fence = row.token === null ? {} : { fence: { token: row.token, step: row.step ?? 0 } }
  const state = JSON.parse(row.state) as Json
  return { host, state, blockedUntil: row.blocked_until, ...fence }
}
