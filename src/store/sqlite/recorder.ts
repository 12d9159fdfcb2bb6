import { sql } from 'kysely'
import { outcomes } from '../../model/history.js'
import type { Retention } from '../../model/store.js'
import type { RecordResult } from '../../model/visit-record.js'
import { countsOf, givenPlaces, type PageBefore, reportedColumns } from '../page-row.js'
import { claimedVisit, isClaim } from '../queue-rules.js'
import type { WrittenHost, WrittenReport } from '../report-rows.js'
import { afterVisit } from '../rules.js'
import { column, type PageColumn, type PageRow, type Tables, visitColumn } from '../schema.js'
import { columnsOfPage, ofQueues } from './due-pages.js'
import type { Database } from './file/database.js'
import { fileCell, type SqlValue, type Statement } from './file/statement.js'
import { type Frontier, Touched } from './frontier.js'
import type { Hosts } from './hosts.js'
import type { LeasedCounts, Leases } from './leases.js'
import type { ReadyVisit, Snapshots } from './snapshots.js'
import type { VisitLog, Visits } from './visits.js'

/** What every visit sets of its page, and a change beside it. */
const always: readonly (keyof Tables['pages'])[] = [
  'due',
  'reason',
  'newest_visit',
  'last_token',
  'last_at',
  'last_outcome',
  'last_status',
  'last_seen',
  'visits',
  'failing',
  'gone',
]
const byChange: readonly PageColumn[] = ['last_change', 'changes']

interface Update {
  readonly statement: () => Statement<never>
  /** Places of the reported columns that it sets. */
  readonly places: readonly number[]
}

/**
 * Writes to pages what follows from their visits: one statement for each set of
 * columns that a report brings, and they bring few sets. A column that is set
 * is written to each index that has it, also where its value stays: the time of
 * the last change is set only by a change.
 */
class PageUpdates {
  readonly #db: Database
  readonly #updates = new Map<number, Update>()

  constructor(db: Database) {
    this.#db = db
  }

  /** With what was counted before the visit, and the number it has in the log. */
  update(
    { token, visit, due, reason, reported }: WrittenReport,
    { newest, before }: { readonly newest: number; readonly before: PageBefore },
  ): void {
    const at = visit[visitColumn.at]
    const outcome = visit[visitColumn.outcome]
    const status = visit[visitColumn.status]
    const counted = afterVisit(before, { at, outcome: outcomes[outcome]!, status })
    const { lastSeen, visits, failing, gone } = counted
    const changed = counted.changes > before.changes
    const { statement, places } = this.#of(reported.given, changed)
    const set = before.set ?? { due, reason }
    const values: SqlValue[] = [set.due, set.reason, newest, token, at, outcome, status]
    values.push(lastSeen, visits, failing, gone)
    if (changed) values.push(counted.lastChange, counted.changes)
    for (const place of places) values.push(fileCell(reported.cells[place]!))
    values.push(visit[visitColumn.page])
    statement().execute(values)
  }

  #of(given: number, changed: boolean): Update {
    const key = 2 * given + (changed ? 1 : 0)
    const known = this.#updates.get(key)
    if (known !== undefined) return known
    const places = givenPlaces(given)
    const reported = places.map((place) => reportedColumns[place]![0])
    const columns = [...always, ...(changed ? byChange : []), ...reported]
    const statement = this.#db.statement((_, slot) => {
      const set = columns.map((name) => sql`${sql.ref(name)} = ${slot(name)}`)
      return sql<never>`update pages set ${sql.join(set)} where id = ${slot('id')}`
    })
    const made = { statement, places }
    this.#updates.set(key, made)
    return made
  }
}

/** Visits that were reported together, and one record for each of their hosts. */
interface ReadyReports {
  readonly visits: readonly ReadyVisit[]
  readonly hosts: readonly WrittenHost[]
}

interface Parts {
  readonly db: Database
  readonly frontier: Frontier
  readonly leases: Leases
  readonly counts: LeasedCounts
  readonly visits: Visits
  readonly log: VisitLog
  readonly snapshots: Snapshots
  readonly hosts: Hosts
  /** At first. */
  readonly retention: Retention
}

/** A page, whether its due time was set while it was leased, and until when it is; null where it is not. */
type LeasedRow = readonly [dueSet: number, expires: number | null, ...PageRow]

/** What a commit writes once, however many visits share it. */
interface Batch {
  readonly touched: Touched
  /** Hosts with a visit that was recorded. */
  readonly hosts: Set<string>
  /** Pages whose lease has ended. */
  readonly done: Set<number>
  /** The number of the last visit. */
  last: number
}

/** Writes visits with all that follows from them, within the caller's transaction. */
export class Recorder {
  readonly #parts: Parts
  /** Which versions are kept. */
  retention: Retention
  readonly #leased
  readonly #claimed
  readonly #pages: PageUpdates

  constructor(parts: Parts) {
    this.#parts = parts
    this.retention = parts.retention
    this.#leased = parts.db.statement(
      (_, slot) => sql<LeasedRow>`
        select leases.due_set, leases.expires, ${columnsOfPage()} from leases join pages on pages.id = leases.page
        where leases.page = ${slot('page')} and leases.token = ${slot('token')}`,
      { arrays: true },
    )
    this.#claimed = parts.db.statement(
      (_, slot) => sql<LeasedRow>`
        select coalesce(leases.worker = ${ofQueues} and leases.due_set, 0), leases.expires,
          ${columnsOfPage()}
        from pages join collections on collections.id = pages.collection and collections.queued = 1
          left join leases on leases.page = pages.id
        where pages.id = ${slot('page')} and coalesce(pages.newest_visit, 0) = ${slot('newest')}
          and (leases.page is null or leases.worker = ${ofQueues}
            or leases.expires <= ${slot('now')})`,
      { arrays: true },
    )
    this.#pages = new PageUpdates(parts.db)
  }

  /** What became of each visit. A host's record is written where a visit that goes with it was. */
  record(reports: ReadyReports): RecordResult[] {
    const { frontier, hosts, leases, log } = this.#parts
    const batch: Batch = {
      touched: new Touched(),
      hosts: new Set(),
      done: new Set(),
      last: log.last(),
    }
    const results = reports.visits.map((each) => this.#one(each, batch))
    for (const record of reports.hosts) if (batch.hosts.has(record.host)) hosts.put(record)
    leases.end(batch.done)
    batch.touched.settle(frontier)
    return results
  }

  #one({ visit, named }: ReadyVisit, batch: Batch): RecordResult {
    const { visits, snapshots } = this.#parts
    const { retention } = this
    const { token, held, host, reportedAt: reported } = visit
    const page = visit.visit[visitColumn.page]
    const at = visit.visit[visitColumn.at]
    const before = batch.done.has(page) ? undefined : this.#before({ page, token, now: reported })
    if (before === undefined) return 'lease-lost'
    if (before.lastAt !== null && at <= before.lastAt) return 'not-forward'
    const number = ++batch.last
    visits.append(visit.visit, { number, previous: before.newest })
    this.#pages.update(visit, { newest: number, before })
    if (named !== undefined)
      snapshots.keep(named, { page, at, retention, visits: before.visits + 1 })
    if (host !== null) batch.hosts.add(host)
    if (held === 0) batch.done.add(page)
    batch.touched.add(before, at, Math.min(reported, before.leasedUntil ?? Infinity))
    return 'recorded'
  }

  /** The page as it is; undefined where it is gone, this lease is not the last that was given for it, or it was visited since its claim. */
  #before({
    page,
    token,
    now,
  }: {
    readonly page: number
    readonly token: number
    readonly now: number
  }): PageBefore | undefined {
    const known = this.#parts.counts.take({ page, token })
    if (known !== undefined) return known
    const found = isClaim(token)
      ? this.#claimed().first({ page, newest: claimedVisit(token), now })
      : this.#leased().first({ page, token })
    if (found === undefined) return undefined
    const [dueSet, expires, ...row] = found
    const set = { due: row[column.due], reason: row[column.reason] }
    return { ...countsOf(row), leasedUntil: expires, ...(dueSet === 1 ? { set } : {}) }
  }
}
