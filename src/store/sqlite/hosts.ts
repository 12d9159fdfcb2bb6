import { sql } from 'kysely'
import type { HostRecord, Json } from '../../model/index.js'
import type { Database } from './database.js'
import type { Frontier } from './frontier.js'
import type { Names } from './names.js'
import type { WrittenHost } from './written-visit.js'

/** What politeness remembers of hosts. */
export class Hosts {
  readonly #names: Names
  readonly #frontier: Frontier
  readonly #get
  readonly #put

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
        .select(['state', 'blocked_until', 'hints'])
        .where('name', '=', slot('name'))
        .where('state', 'is not', null),
    )
    this.#put = parts.db.statement((q, slot) =>
      q
        .updateTable('hosts')
        .set({
          state: slot('state'),
          blocked_until: slot('until'),
          hints: sql`coalesce(${slot('hints')}, hints)`,
        })
        .where('id', '=', slot('id')),
    )
  }

  get(host: string): HostRecord | null {
    const row = this.#get().first({ name: host })
    if (row?.state == null) return null
    const hints = row.hints === null ? {} : { hints: JSON.parse(row.hints) as Json }
    return { host, state: JSON.parse(row.state), blockedUntil: row.blocked_until, ...hints }
  }

  put({ host, state, until, hints }: WrittenHost): void {
    const id = this.#names.ensure(host)
    this.#put().execute({ id, state, until, hints })
    this.#frontier.blocked(id, until)
  }
}
