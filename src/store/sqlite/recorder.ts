import { sql } from 'kysely'
import { outcomes } from '../../model/history.js'
import type { Retention } from '../../model/store.js'
import type { RecordResult } from '../../model/visit-record.js'
import { countsOf, type PageBefore, type PageRow, packNumbers, pageColumns } from '../page-row.js'
import type { WrittenHost, WrittenVisit } from '../report-rows.js'
import { afterVisit, type Counted } from '../rules.js'
import type { Database } from './file/database.js'
import type { SlotOf } from './file/statement.js'
import { type Frontier, Touched } from './frontier.js'
import type { Hosts } from './hosts.js'
import type { LeasedCounts, Leases } from './leases.js'
import type { NamedContent, Snapshots } from './snapshots.js'
import type { VisitLog, Visits } from './visits.js'

/** Writes to pages what follows from their visits. */
class PageUpdates {
  readonly #plain
  readonly #withValidators

  constructor(db: Database) {
    this.#plain = updates(db, { hasValidators: false })
    this.#withValidators = updates(db, { hasValidators: true })
  }

  /** With what was counted before the visit, and the number it has in the log. */
  update(
    visit: WrittenVisit,
    { newest, before }: { readonly newest: number; readonly before: PageBefore },
  ): void {
    const { at, outcome, status } = visit
    const { due, reason } = before.set ?? visit
    const counted: Counted = afterVisit(before, { at, outcome: outcomes[outcome]!, status })
    const { changed, unchanged } = hasMore(visit) ? this.#withValidators : this.#plain
    const statement = counted.changes > before.changes ? changed() : unchanged()
    statement.execute({
      page: visit.page,
      token: visit.token,
      newest,
      due,
      reason,
      learner: visit.learner,
      state: visit.state === null ? null : packNumbers(visit.state),
      hasValidators: visit.hasValidators,
      etag: visit.etag,
      lastModified: visit.modified,
      fingerprint: visit.fingerprint,
      hints: visit.hints,
      noise: visit.noise,
      movedTo: visit.movedTo,
      at,
      outcome,
      status,
      lastSeen: counted.lastSeen,
      lastChange: counted.lastChange,
      visits: counted.visits,
      changes: counted.changes,
      failing: counted.failing,
      gone: counted.gone,
    })
  }
}

/** Whether anything follows from it for the page but its state, counts and due time. Most visits tell no more. */
function hasMore(visit: WrittenVisit): boolean {
  const { hasValidators, fingerprint, hints, noise, movedTo } = visit
  return (
    hasValidators === 1 ||
    fingerprint !== null ||
    hints !== null ||
    noise !== null ||
    movedTo !== null
  )
}

function updates(db: Database, { hasValidators }: { readonly hasValidators: boolean }) {
  return {
    changed: db.statement((_, slot) => update(slot, { changed: true, hasValidators })),
    unchanged: db.statement((_, slot) => update(slot, { changed: false, hasValidators })),
  }
}

/**
 * Null slots of what a report left out keep what was there; JSON's null is the
 * text `null`. A column that is set is written to each index that has it, also
 * where its value stays: the time of the last change is set only by a change.
 */
function update(
  slot: SlotOf,
  { changed, hasValidators }: { readonly changed: boolean; readonly hasValidators: boolean },
) {
  const change = sql`last_change = ${slot('lastChange')}, changes = ${slot('changes')},`
  const more = sql`
      etag = iif(${slot('hasValidators')}, ${slot('etag')}, etag),
      last_modified = iif(${slot('hasValidators')}, ${slot('lastModified')}, last_modified),
      fingerprint = coalesce(${slot('fingerprint')}, fingerprint),
      hints = coalesce(${slot('hints')}, hints), noise = coalesce(${slot('noise')}, noise),
      moved_to = nullif(coalesce(${slot('movedTo')}, moved_to), ''),`
  return sql<never>`
    update pages set
      due = ${slot('due')}, reason = ${slot('reason')}, newest_visit = ${slot('newest')},
      last_token = ${slot('token')},
      learner = coalesce(${slot('learner')}, learner), state = coalesce(${slot('state')}, state),
      ${hasValidators ? more : sql``} last_at = ${slot('at')}, last_outcome = ${slot('outcome')}, last_status = ${slot('status')},
      ${changed ? change : sql``} last_seen = ${slot('lastSeen')}, visits = ${slot('visits')},
      failing = ${slot('failing')}, gone = ${slot('gone')}
    where id = ${slot('page')}`
}

/** A visit with its content named and packed beforehand. */
export interface ReadyVisit {
  readonly visit: WrittenVisit
  readonly named: NamedContent | undefined
}

/** Visits that were reported together, and the records of their hosts. */
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
  readonly retention: Retention
}

/** A page and whether its due time was set while it was leased. */
type LeasedRow = readonly [...PageRow, dueSet: number]

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
  readonly #leased
  readonly #pages: PageUpdates

  constructor(parts: Parts) {
    this.#parts = parts
    this.#leased = parts.db.statement(
      (q, slot) =>
        q
          .selectFrom('leases')
          .innerJoin('pages', 'pages.id', 'leases.page')
          .select(pageColumns)
          .select('leases.due_set')
          .where('leases.page', '=', slot('page'))
          .where('leases.token', '=', slot('token')),
      { arrays: true },
    )
    this.#pages = new PageUpdates(parts.db)
  }

  /** What became of each visit, report by report. */
  record(reports: readonly ReadyReports[]): RecordResult[][] {
    const { frontier, hosts, leases, log } = this.#parts
    const batch: Batch = {
      touched: new Touched(),
      hosts: new Set(),
      done: new Set(),
      last: log.last(),
    }
    const results = reports.map(({ visits }) => visits.map((each) => this.#one(each, batch)))
    for (const host of lastRecords(reports, batch.hosts)) hosts.put(host)
    leases.end(batch.done)
    batch.touched.settle(frontier)
    return results
  }

  #one({ visit, named }: ReadyVisit, batch: Batch): RecordResult {
    const { visits, snapshots, retention } = this.#parts
    const { page, at } = visit
    const before = batch.done.has(page) ? undefined : this.#before(visit)
    if (before === undefined) return 'lease-lost'
    if (before.lastAt !== null && at <= before.lastAt) return 'not-forward'
    const number = ++batch.last
    visits.append(visit, { number, previous: before.newest })
    this.#pages.update(visit, { newest: number, before })
    if (named !== undefined)
      snapshots.keep(named, { page, at, retention, visits: before.visits + 1 })
    if (visit.host !== null) batch.hosts.add(visit.host)
    if (visit.held === 0) batch.done.add(page)
    batch.touched.add(before, at)
    return 'recorded'
  }

  /** The page as it is; undefined where it is gone, or this lease is not the last that was given for it. */
  #before(visit: WrittenVisit): PageBefore | undefined {
    const known = this.#parts.counts.take(visit)
    if (known !== undefined) return known
    const { page, token } = visit
    const row = this.#leased().first({ page, token }) as LeasedRow | undefined
    if (row === undefined) return undefined
    const before = countsOf(row as unknown as PageRow)
    return row.at(-1) === 1 ? { ...before, set: { due: row[2], reason: row[3] } } : before
  }
}

/** Of each of these hosts the newest record, with the hints of one before where it has none. */
function lastRecords(
  reports: readonly ReadyReports[],
  wanted: ReadonlySet<string>,
): Iterable<WrittenHost> {
  const last = new Map<string, WrittenHost>()
  for (const { hosts } of reports)
    for (const each of hosts) {
      if (!wanted.has(each.host)) continue
      const before = last.get(each.host)
      const newest = before === undefined || isNewer(each, before) ? each : before
      const hints = each.hints ?? before?.hints ?? null
      last.set(each.host, hints === newest.hints ? newest : { ...newest, hints })
    }
  return last.values()
}

function isNewer({ token, step }: WrittenHost, before: WrittenHost): boolean {
  if (token === null || before.token === null) return true
  return token === before.token ? step! >= before.step! : token > before.token
}

interface Waiting {
  readonly reports: ReadyReports
  readonly resolve: (results: readonly RecordResult[]) => void
  readonly reject: (reason: unknown) => void
}

/** A visit waits no longer for others, in milliseconds. */
const longestWait = 5

/**
 * Visits reported in the same turns of the event loop share one commit: a sync
 * of the disk takes as long as writing a hundred visits. As long as each turn
 * brings another report the commit waits, for a few milliseconds at most; a
 * visit that comes alone waits one turn.
 */
export class CommitQueue {
  readonly #db: Database
  readonly #recorder: Recorder
  #waiting: Waiting[] = []

  constructor(parts: { readonly db: Database; readonly recorder: Recorder }) {
    this.#db = parts.db
    this.#recorder = parts.recorder
  }

  /** Resolves after the sync; a commit that fails fails for all that shared it, and nothing of it stays. */
  add(reports: ReadyReports): Promise<readonly RecordResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ reports, resolve, reject })
      if (this.#waiting.length === 1) this.#gather({ until: performance.now() + longestWait })
    })
  }

  #gather({ until }: { readonly until: number }): void {
    const gathered = this.#waiting.length
    setImmediate(() => {
      const more = this.#waiting.length > gathered && performance.now() < until
      if (more) this.#gather({ until })
      else this.#flush()
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const all = waiting.map(({ reports }) => reports)
      const results = this.#db.writeBeside(() => this.#recorder.record(all))
      waiting.forEach(({ resolve }, at) => {
        resolve(results[at]!)
      })
    } catch (reason) {
      for (const { reject } of waiting) reject(reason)
    }
  }
}
