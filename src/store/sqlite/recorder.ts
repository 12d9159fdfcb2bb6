import { sql } from 'kysely'
import { outcomes, type ReportFate, type Retention, type VisitReport } from '../../model/index.js'
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

/** Writes visits with all that follows from them, within the caller's transaction. */
export class Recorder {
  readonly #parts: Parts
  readonly #counts
  readonly #update

  constructor(parts: Parts) {
    this.#parts = parts
    this.#counts = parts.db.statement((q, slot) =>
      q
        .selectFrom('pages')
        .select(['collection', 'host', 'last_at', 'last_outcome', 'last_status', 'last_seen'])
        .select(['last_change', 'visits', 'changes', 'failing', 'gone', 'newest_visit'])
        .where('id', '=', slot('page')),
    )
    this.#update = parts.db.statement((_, slot) => update(slot))
  }

  record(reports: readonly ReadyReport[]): ReportFate[] {
    const touched = new Touched()
    const fates = reports.map((each) => this.#one(each, touched))
    touched.settle(this.#parts.frontier)
    return fates
  }

  #one({ report, named }: ReadyReport, touched: Touched): ReportFate {
    const { leases, visits, snapshots, hosts, retention } = this.#parts
    const { lease, visit } = report
    const page = rowId(lease.page.id)
    if (!leases.holds(lease)) return 'lease-lost'
    const before = this.#before(page)
    if (before === undefined) return 'lease-lost'
    if (before.lastVisit !== null && visit.at <= before.lastVisit.at) return 'not-forward'
    const newest = visits.append(visit, { page, previous: before.newest })
    this.#write(report, { page, newest, counted: afterVisit(before, visit) })
    if (named !== undefined) snapshots.keep(named, { page, at: visit.at, retention })
    if (report.host !== undefined) hosts.put(report.host)
    if (report.keepLease !== true) leases.release(lease)
    touched.add(before.place, visit.at)
    return 'recorded'
  }

  #before(page: number): (Counted & { place: Place; newest: number | null }) | undefined {
    const row = this.#counts().first({ page })
    if (row === undefined) return undefined
    const { last_at: at, last_outcome: outcome, last_status: status } = row
    const { visits, changes, failing, gone } = row
    return {
      place: row,
      newest: row.newest_visit,
      lastVisit: lastVisitFrom({ at, outcome, status }),
      lastSeen: row.last_seen,
      lastChange: row.last_change,
      visits,
      changes,
      failing,
      gone,
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
