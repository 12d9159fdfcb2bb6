import type { ReportFate, Retention } from '../../model/index.js'
import type { Database } from './database.js'
import type { Frontier } from './frontier.js'
import type { Hosts } from './hosts.js'
import type { LeasedCounts } from './leased-counts.js'
import type { Leases } from './leases.js'
import type { NamedContent } from './named-content.js'
import { countsOf, type PageBefore, type PageRow, pageColumns } from './page-row.js'
import { PageUpdates } from './page-updates.js'
import type { Snapshots } from './snapshots.js'
import { Touched } from './touched.js'
import type { VisitLog } from './visit-log.js'
import type { Visits } from './visits.js'
import type { WrittenHost, WrittenVisit } from './written-visit.js'

/** A visit with its content named and packed beforehand. */
export interface ReadyVisit {
  readonly visit: WrittenVisit
  readonly named: NamedContent | undefined
}

/** Visits that were reported together, and the records of their hosts. */
export interface ReadyReports {
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
  record(reports: readonly ReadyReports[]): ReportFate[][] {
    const { frontier, hosts, leases, log } = this.#parts
    const batch: Batch = {
      touched: new Touched(),
      hosts: new Set(),
      done: new Set(),
      last: log.last(),
    }
    const fates = reports.map(({ visits }) => visits.map((each) => this.#one(each, batch)))
    for (const host of lastRecords(reports, batch.hosts)) hosts.put(host)
    leases.end(batch.done)
    batch.touched.settle(frontier)
    return fates
  }

  #one({ visit, named }: ReadyVisit, batch: Batch): ReportFate {
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
