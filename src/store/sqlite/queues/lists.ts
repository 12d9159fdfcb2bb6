import { sql } from 'kysely'
import type { QueueStats, QueueSummary } from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import { ofQueues } from '../due-pages.js'
import type { Database } from '../file/database.js'
import type { SlotOf } from '../file/statement.js'

interface QueueRow {
  readonly collection: string
  readonly key: string
  readonly addresses: number
  readonly inProcess: number
  readonly completed: number
  readonly delay: number | null
  readonly blocked: number | null
  readonly quota: number
  readonly given: number | null
}

/** A queue, a crawl, or all of them. */
interface Scope {
  readonly collection?: number
  readonly host?: number
}

const inProcess = (slot: SlotOf) => sql<number>`(
  select count(*) from leases where leases.host = queues.host
    and leases.collection = queues.collection and leases.worker = ${ofQueues}
    and leases.expires > ${slot('now')})`
const completed = sql<number>`(
  select count(*) from pages where pages.collection = queues.collection
    and pages.host = queues.host and pages.due is null)`
const withAddresses = sql`queues join frontier
  on frontier.collection = queues.collection and frontier.host = queues.host`
const isShown = (slot: SlotOf) => sql<boolean>`queues.collection = ${slot('collection')}
  and (${slot('inactive')} = 1 or frontier.due <= ${slot('now')} or queues.in_flight > 0)`

/** Queues by key, and sums over them. Reads one row a queue; addresses of those that it gives. */
export class QueueLists {
  readonly #total
  readonly #queues
  readonly #sums

  constructor(db: Database) {
    this.#total = db.statement(
      (_, slot) => sql<{ total: number }>`
        select count(*) as total from ${withAddresses} where ${isShown(slot)}`,
    )
    this.#queues = db.statement(
      (_, slot) => sql<QueueRow>`
        select collections.name as collection, hosts.name as key, frontier.pages as addresses,
          ${inProcess(slot)} as inProcess, ${completed} as completed,
          queues.delay, queues.blocked, queues.quota, queues.given
        from ${withAddresses} join hosts on hosts.id = queues.host
          join collections on collections.id = queues.collection
        where ${isShown(slot)}
        order by hosts.name limit ${slot('limit')} + 0 offset ${slot('start')} + 0`,
    )
    this.#sums = db.statement(
      (_, slot) => sql<QueueStats>`
        select coalesce(sum(frontier.pages), 0) as addresses, count(*) as queues,
          coalesce(sum(${completed}), 0) as completed,
          (select count(*) from leases
            where worker = ${ofQueues} and expires > ${slot('now')}
              and collection = coalesce(${slot('collection')}, collection)
              and host = coalesce(${slot('host')}, host)) as inProcess
        from ${withAddresses}
        where queues.collection = coalesce(${slot('collection')}, queues.collection)
          and queues.host = coalesce(${slot('host')}, queues.host)`,
    )
  }

  queues(
    query: {
      readonly start: number
      readonly limit: number
      readonly inactive: boolean
      readonly now: UnixSeconds
    },
    collection: number,
  ): { queues: QueueSummary[]; total: number } {
    const { start, limit, now } = query
    const asked = { collection, now, inactive: query.inactive ? 1 : 0 }
    const rows = this.#queues().all({ ...asked, start, limit })
    return { queues: rows.map(summaryOf), total: this.#total().first(asked)!.total }
  }

  stats({ collection, host }: Scope, now: UnixSeconds): QueueStats {
    const asked = { collection: collection ?? null, host: host ?? null, now }
    return { ...this.#sums().first(asked)! }
  }
}

function summaryOf(row: QueueRow): QueueSummary {
  const { collection, key, addresses, inProcess, completed, delay, blocked, quota, given } = row
  const rules = { delay, blockedUntil: blocked, limit: quota }
  return { collection, key, addresses, inProcess, completed, rules, lastGiven: given }
}
