import { sql } from 'kysely'
import {
  type HostRecord,
  outcomes,
  type ReportFate,
  type Retention,
  type VisitReport,
} from '../../model/index.js'
import { afterVisit, type Counted } from '../after-visit.js'
import { packNumbers } from '../sparse-numbers.js'
import type { Database } from './database.js'
import type { Frontier, Place } from './frontier.js'
import type { Hosts } from './hosts.js'
import type { Leases } from './leases.js'
import { lastVisitFrom } from './page-row.js'
import { rowId } from './pages.js'
import type { NamedContent, Snapshots } from './snapshots.js'
import type { SlotOf } from './statement.js'
import { Touched } from './touched.js'
import type { Visits } from './visits.js'

/** A report with its content named and packed beforehand. */
export interface ReadyReport {
  readonly report: VisitReport
  readonly named: NamedContent | undefined
}

interface Parts {
  readonly db: Database
  readonly frontier: Frontier
  readonly leases: Leases
  readonly visits: Visits
  readonly snapshots: Snapshots
  readonly hosts: Hosts
  readonly retention: Retention
}

/** What a commit writes once, however many visits share it. */
interface Batch {
  readonly touched: Touched
  /** The last record of each host. */
  readonly hosts: Map<string, HostRecord>
  /** Pages whose lease has ended. */
  readonly done: Set<number>
}

type Before = Counted & { readonly place: Place; readonly newest: number | null }
type CountsRow = readonly [
  collection: number,
  host: number,
  newest: number | null,
  at: number | null,
  outcome: number | null,
  status: number | null,
  lastSeen: number | null,
  lastChange: number | null,
  visits: number,
  changes: number,
  failing: number,
  gone: number,
]

/** Writes visits with all that follows from them, within the caller's transaction. */
export class Recorder {
  readonly #parts: Parts
  readonly #counts
  readonly #update

  constructor(parts: Parts) {
    this.#parts = parts
    this.#counts = parts.db.statement(
      (_, slot) => sql<never>`
        select pages.collection, pages.host, newest_visit, last_at, last_outcome, last_status,
          last_seen, last_change, visits, changes, failing, gone
        from leases join pages on pages.id = leases.page
        where leases.page = ${slot('page')} and token = ${slot('token')}`,
      { arrays: true },
    )
    this.#update = parts.db.statement((_, slot) => update(slot))
  }

  record(reports: readonly ReadyReport[]): ReportFate[] {
    const { frontier, hosts, leases } = this.#parts
    const batch: Batch = { touched: new Touched(), hosts: new Map(), done: new Set() }
    const fates = reports.map((each) => this.#one(each, batch))
    for (const host of batch.hosts.values()) hosts.put(host)
    leases.end(batch.done)
    batch.touched.settle(frontier)
    return fates
  }

  #one({ report, named }: ReadyReport, batch: Batch): ReportFate {
    const { visits, snapshots, retention } = this.#parts
    const { lease, visit } = report
    const page = rowId(lease.page.id)
    const before = batch.done.has(page) ? undefined : this.#before({ page, token: lease.token })
    if (before === undefined) return 'lease-lost'
    if (before.lastVisit !== null && visit.at <= before.lastVisit.at) return 'not-forward'
    const newest = visits.append(visit, { page, previous: before.newest })
    this.#write(report, { page, newest, counted: afterVisit(before, visit) })
    if (named !== undefined) snapshots.keep(named, { page, at: visit.at, retention })
    if (report.host !== undefined) keepHost(batch.hosts, report.host)
    if (report.keepLease !== true) batch.done.add(page)
    batch.touched.add(before.place, visit.at)
    return 'recorded'
  }

  /** The page as it is; undefined where it is gone, or this lease is not the last that was given for it. */
  #before(lease: { readonly page: number; readonly token: number }): Before | undefined {
    const row = this.#counts().first(lease) as CountsRow | undefined
    if (row === undefined) return undefined
    const [collection, host, newest, at, outcome, status] = row
    return {
      place: { collection, host },
      newest,
      lastVisit: lastVisitFrom({ at, outcome, status }),
      lastSeen: row[6],
      lastChange: row[7],
      visits: row[8],
      changes: row[9],
      failing: row[10],
      gone: row[11],
    }
  }

  #write(
    { visit, due, state, validators, hints, noise, movedTo }: VisitReport,
    { page, newest, counted }: { page: number; newest: number; counted: Counted },
  ): void {
    const { lastSeen, lastChange, visits, changes, failing, gone } = counted
    this.#update().run({
      page,
      newest,
      due: due.at === 'never' ? null : due.at,
      reason: due.reason,
      learner: state?.learner ?? null,
      state: state === undefined ? null : packNumbers(state.numbers),
      told: validators === undefined ? 0 : 1,
      etag: validators?.etag ?? null,
      lastModified: validators?.lastModified ?? null,
      fingerprint: visit.fingerprint,
      hints: hints === undefined ? null : JSON.stringify(hints),
      noise: noise === undefined ? null : JSON.stringify(noise),
      movedTo: movedTo ?? null,
      at: visit.at,
      outcome: outcomes.indexOf(visit.outcome),
      status: visit.status,
      lastSeen,
      lastChange,
      visits,
      changes,
      failing,
      gone,
    })
  }
}

/** The last record counts, with the hints of one before where it has none: what is left out stays. */
function keepHost(hosts: Map<string, HostRecord>, record: HostRecord): void {
  const hints = record.hints ?? hosts.get(record.host)?.hints
  hosts.set(record.host, hints === undefined ? record : { ...record, hints })
}

/** Null slots of what a report left out keep what was there; JSON's null is the text `null`. */
function update(slot: SlotOf) {
  return sql<never>`
    update pages set
      due = ${slot('due')}, reason = ${slot('reason')}, newest_visit = ${slot('newest')},
      learner = coalesce(${slot('learner')}, learner), state = coalesce(${slot('state')}, state),
      etag = iif(${slot('told')}, ${slot('etag')}, etag),
      last_modified = iif(${slot('told')}, ${slot('lastModified')}, last_modified),
      fingerprint = coalesce(${slot('fingerprint')}, fingerprint),
      hints = coalesce(${slot('hints')}, hints), noise = coalesce(${slot('noise')}, noise),
      moved_to = coalesce(${slot('movedTo')}, moved_to),
      last_at = ${slot('at')}, last_outcome = ${slot('outcome')}, last_status = ${slot('status')},
      last_seen = ${slot('lastSeen')}, last_change = ${slot('lastChange')},
      visits = ${slot('visits')}, changes = ${slot('changes')},
      failing = ${slot('failing')}, gone = ${slot('gone')}
    where id = ${slot('page')}`
}
