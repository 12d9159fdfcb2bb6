import { sql } from 'kysely'
import type { HostList, HostQuery, HostSummary } from '../../model/index.js'
import type { Database } from './database.js'

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
