import { outcomes } from '../../model/history.js'
import { type HostRecord, newerHost } from '../../model/lease.js'
import { queueWorker } from '../../model/queue.js'
import type { Retention } from '../../model/store.js'
import type { Content, RecordResult, VisitReport } from '../../model/visit-record.js'
import { givenPlaces, type ReportedCells, reportedCells, reportedColumns } from '../page-row.js'
import { claimedVisit, isClaim } from '../queue-rules.js'
import { visitRow, writtenHost } from '../report-rows.js'
import { afterVisit, type CountedBefore } from '../rules.js'
import { type Cell, type VisitRow, visitColumn } from '../schema.js'
import type { Gatherer } from '../write-buffer.js'
import { Touched } from './frontier.js'
import type { Hosts } from './hosts.js'
import { hostKey, type Key, type PageKey, pageKey } from './keys.js'
import type { Leases } from './leases.js'
import { serverCell } from './pages.js'
import { serverType } from './server/column-types.js'
import {
  type Database,
  placesInTransaction,
  rowsGiven,
  statement,
  type Transaction,
} from './server/database.js'
import { type Session, together, type Value } from './server/session.js'
import { type NamedContent, type NewVersion, snapshots } from './snapshots.js'
import { appendVisits, isCopied, type NumberedVisit } from './visits.js'

/** A report as it is written. */
interface ReadyReport extends PageKey {
  readonly token: number
  readonly reportedAt: number
  /** Whether the lease goes on. */
  readonly held: boolean
  readonly visit: VisitRow
  /** Null for never. */
  readonly due: number | null
  readonly reason: string
  readonly reported: ReportedCells
  readonly content: Content | undefined
  readonly record: HostRecord | undefined
}

/** What a report names that is no page of ours lies nowhere. */
const nowhere: PageKey = { host: '0', page: 0 }

/** Gathers reports for the server: all are made ready, or none. */
export class ReportList implements Gatherer<readonly ReadyReport[]> {
  readonly #reports: ReadyReport[] = []

  get count(): number {
    return this.#reports.length
  }

  add(reports: readonly VisitReport[]): void {
    this.#reports.push(...reports.map(ready))
  }

  packed(): readonly ReadyReport[] {
    return this.#reports
  }
}

function ready(report: VisitReport): ReadyReport {
  const { lease, visit, due, content, host } = report
  const key = pageKey(lease.page.id) ?? nowhere
  return {
    ...key,
    token: lease.token,
    reportedAt: report.reportedAt ?? visit.at,
    held: report.keepLease === true,
    visit: visitRow(key.page, visit),
    due: due.at === 'never' ? null : due.at,
    reason: due.reason,
    reported: reportedCells(report),
    content,
    record: host,
  }
}

type BeforeRow = readonly [
  host: Key,
  page: number,
  token: number | null,
  dueSet: boolean | null,
  expires: number | null,
  worker: string | null,
  isQueued: boolean,
  collection: number,
  due: number | null,
  reason: string,
  lastAt: number | null,
  lastSeen: number | null,
  lastChange: number | null,
  visits: number,
  changes: number,
  failing: number,
  gone: number,
  newest: number | null,
]

/** From the reports to their pages and leases, whatever the statistics say of either. */
const readBefore = statement(`
  select wanted.host::text, wanted.page, l.token, l.due_set, l.expires, l.worker,
    exists (select 1 from collections c where c.id = s.collection and c.queued), s.collection,
    s.due, s.reason, s.last_at, s.last_seen, s.last_change, s.visits, s.changes, s.failing, s.gone,
    s.newest_visit
  from ${rowsGiven('$1::bigint[], $2::bigint[]')} as wanted (host, page)
    cross join lateral (
      select * from page_states
      where page_states.host = wanted.host and page_states.page = wanted.page offset 0) as s
    left join lateral (
      select token, due_set, expires, worker from leases
      where leases.host = wanted.host and leases.page = wanted.page offset 0) as l on true`)

/** What every visit sets of its page, with types. */
const always = [
  ['due', 'float8'],
  ['reason', 'text'],
  ['newest_visit', 'bigint'],
  ['last_token', 'bigint'],
  ['last_at', 'float8'],
  ['last_outcome', 'int'],
  ['last_status', 'int'],
  ['last_seen', 'float8'],
  ['last_change', 'float8'],
  ['visits', 'bigint'],
  ['changes', 'bigint'],
  ['failing', 'bigint'],
  ['gone', 'bigint'],
] as const

/** Of each reported column the bit that says that it was given. */
const bits = reportedColumns.map(
  (_, place) =>
    reportedColumns.map((__, bit) => 1 << bit).find((bit) => givenPlaces(bit).includes(place))!,
)

const updatePages = (() => {
  const columns = [
    ...[
      ['host', 'bigint'],
      ['page', 'bigint'],
      ['given', 'int'],
    ],
    ...always,
    ...reportedColumns.map(([name, type]) => [name, serverType(type)]),
  ] as const
  const set = [
    ...always.map(([name]) => `${name} = fresh.${name}`),
    ...reportedColumns.map(
      ([name], at) =>
        `${name} = case when fresh.given & ${bits[at]} <> 0 then fresh.${name} else page_states.${name} end`,
    ),
  ]
  return statement(`
    update page_states set ${set.join(', ')}
    from ${rowsGiven(columns.map(([, type], at) => `$${at + 1}::${type}[]`).join(', '))}
      as fresh (${columns.map(([name]) => name).join(', ')})
    where page_states.host = fresh.host and page_states.page = fresh.page`)
})()

type Counts = { -readonly [Count in keyof CountedBefore]: CountedBefore[Count] }

/** A page while its visits of one commit are counted. */
interface PageUnderWay extends PageKey, Counts {
  /** Null where nobody leases it. */
  readonly lease: {
    readonly token: number
    readonly expires: number
    readonly worker: string
    /** Its due time was set by somebody while the page was leased: it stays, whatever the visit says. */
    readonly dueSet: boolean
  } | null
  /** Whether it is of a crawl of the frontier. */
  readonly isQueued: boolean
  readonly collection: number
  /** Under which its last visit is recorded. */
  token: number
  due: number | null
  reason: string
  lastAt: number | null
  newest: number | null
  outcome: number
  status: number | null
  given: number
  readonly cells: Cell[]
  /** Whether a visit was recorded, and whether its lease has ended with it. */
  visited: boolean
  done: boolean
}

/** Writes visits with all that follows from them. */
export class Recorder {
  readonly #db: Database
  readonly #hosts: Hosts
  readonly #leases: Leases
  /** Which versions are kept. */
  retention: Retention

  constructor(parts: {
    readonly db: Database
    readonly hosts: Hosts
    readonly leases: Leases
    readonly retention: Retention
  }) {
    this.#db = parts.db
    this.#hosts = parts.hosts
    this.#leases = parts.leases
    this.retention = parts.retention
  }

  /** What became of each visit. A host's record is written where a visit that goes with it was. */
  async record(reports: readonly ReadyReport[]): Promise<RecordResult[]> {
    const results: RecordResult[] = []
    for (let from = 0; from < reports.length; from += placesInTransaction)
      results.push(...(await this.#together(reports.slice(from, from + placesInTransaction))))
    return results
  }

  async #together(reports: readonly ReadyReport[]): Promise<RecordResult[]> {
    const withContent = reports.filter(({ content }) => content !== undefined)
    const contents = await snapshots.ready(
      this.#db,
      withContent.map(({ host, content }) => ({ host, content: content! })),
    )
    const named = new Map(withContent.map((report, at) => [report, contents[at]!]))
    return this.#db.write((session) => this.#commit(session, reports, named))
  }

  async #commit(
    session: Transaction,
    reports: readonly ReadyReport[],
    named: ReadonlyMap<ReadyReport, NamedContent>,
  ): Promise<RecordResult[]> {
    const records = newestRecords(reports)
    const keys = new Set(reports.map(({ host }) => host))
    const others = [...records.keys()].filter((name) => !keys.has(hostKey(name)))
    // Pages are there, and so are their hosts; that of a record may be new.
    if (others.length > 0) await this.#hosts.ensured(session, others)
    // Sent together: the server takes the locks before it reads.
    const [hosts, pages] = await together([
      this.#hosts.locked(session, [...keys, ...others.map(hostKey)]),
      pagesBefore(session, reports),
    ])
    const current =
      named.size === 0
        ? new Map<string, string>()
        : await snapshots.current(session, [...named.keys()])
    const visits: NumberedVisit[] = []
    const versions: NewVersion[] = []
    const touched = new Touched()
    const recorded = new Set<string>()
    const results = reports.map((report): RecordResult => {
      const page = pages.get(placeOf(report))
      if (page === undefined || page.done || !mayReport(page, report)) return 'lease-lost'
      const at = report.visit[visitColumn.at]
      if (page.lastAt !== null && at <= page.lastAt) return 'not-forward'
      const number = session.firstNumber + visits.length
      visits.push({ number, previous: page.newest, host: page.host, visit: report.visit })
      visited(page, report, number)
      const content = named.get(report)
      if (content !== undefined && current.get(placeOf(page)) !== content.digest) {
        versions.push({ host: page.host, page: page.page, at, named: content })
        current.set(placeOf(page), content.digest)
      }
      if (report.record !== undefined) recorded.add(report.record.host)
      const ended = Math.min(report.reportedAt, page.lease?.expires ?? Infinity)
      touched.add(page.host, page.collection, { served: at, ended, leasesStay: report.held })
      return 'recorded'
    })
    if (visits.length === 0) return results
    const seen = [...pages.values()].filter((page) => page.visited)
    await snapshots.keep(session, versions, this.retention)
    if (isCopied(visits)) await appendVisits(session, visits)
    const written = [...records.values()].filter(({ host }) => recorded.has(host))
    for (const { host } of written) touched.add(hostKey(host), 0, { leasesStay: true })
    await together([
      ...(isCopied(visits) ? [] : [appendVisits(session, visits)]),
      session.run(updatePages, updated(seen)),
      this.#leases.end(
        session,
        seen.filter(({ done }) => done),
      ),
      this.#hosts.put(session, written.map(writtenHost), hosts),
      touched.settle(session),
    ])
    return results
  }
}

/** By its lease; or by a claim, where no visit was recorded since and no plan is being made of the page. */
function mayReport({ lease, isQueued, newest }: PageUnderWay, report: ReadyReport): boolean {
  const { token, reportedAt } = report
  if (!isClaim(token)) return lease?.token === token
  const isPlanned = lease !== null && lease.worker !== queueWorker && lease.expires > reportedAt
  return isQueued && !isPlanned && (newest ?? 0) === claimedVisit(token)
}

/** Of reports that come together the last record of each host counts. */
function newestRecords(reports: readonly ReadyReport[]): Map<string, HostRecord> {
  const records = new Map<string, HostRecord>()
  for (const { record } of reports)
    if (record !== undefined) records.set(record.host, newerHost(records.get(record.host), record))
  return records
}

async function pagesBefore(
  session: Session,
  reports: readonly ReadyReport[],
): Promise<Map<string, PageUnderWay>> {
  const wanted = [...new Map(reports.map((report) => [placeOf(report), report])).values()]
  const places = [wanted.map(({ host }) => host), wanted.map(({ page }) => page)]
  const rows = await session.rows<BeforeRow>(readBefore, places)
  return new Map(rows.map((row) => [placeOf({ host: row[0], page: row[1] }), underWay(row)]))
}

const notGiven: readonly Cell[] = reportedColumns.map(() => null)

function underWay(row: BeforeRow): PageUnderWay {
  const [host, page, token, dueSet, expires, worker, isQueued, collection, ...rest] = row
  const [due, reason, lastAt, lastSeen, lastChange, visits, changes, failing, gone, newest] = rest
  const lease = token === null ? null : { token, expires: expires!, worker: worker! }
  return {
    host,
    page,
    lease: lease && { ...lease, dueSet: dueSet! },
    isQueued,
    token: 0,
    collection,
    due,
    reason,
    lastAt,
    lastSeen,
    lastChange,
    visits,
    changes,
    failing,
    gone,
    newest,
    outcome: 0,
    status: null,
    given: 0,
    cells: notGiven.slice(),
    visited: false,
    done: false,
  }
}

/** The page after one more visit. */
function visited(page: PageUnderWay, report: ReadyReport, number: number): void {
  const { visit, reported } = report
  const at = visit[visitColumn.at]
  page.outcome = visit[visitColumn.outcome]
  page.status = visit[visitColumn.status]
  const { status } = page
  const counted = afterVisit(page, { at, outcome: outcomes[page.outcome]!, status })
  page.lastSeen = counted.lastSeen
  page.lastChange = counted.lastChange
  page.visits = counted.visits
  page.changes = counted.changes
  page.failing = counted.failing
  page.gone = counted.gone
  // A lease that a claim goes without may be a plan's, which set the time itself.
  const isSet = page.lease?.dueSet === true && (!isClaim(report.token) || isOfQueue(page))
  if (!isSet) {
    page.due = report.due
    page.reason = report.reason
  }
  page.token = report.token
  page.lastAt = at
  page.newest = number
  page.given |= reported.given
  for (const place of givenPlaces(reported.given)) page.cells[place] = reported.cells[place]!
  page.visited = true
  page.done = !report.held
}

function isOfQueue({ lease }: PageUnderWay): boolean {
  return lease?.worker === queueWorker
}

/** In the order of the columns of `updatePages`. */
function updated(pages: readonly PageUnderWay[]): Value[][] {
  const column = (value: (page: PageUnderWay) => Value) => pages.map(value)
  return [
    column(({ host }) => host),
    column(({ page }) => page),
    column(({ given }) => given),
    column(({ due }) => due),
    column(({ reason }) => reason),
    column(({ newest }) => newest),
    column(({ token }) => token),
    column(({ lastAt }) => lastAt),
    column(({ outcome }) => outcome),
    column(({ status }) => status),
    column(({ lastSeen }) => lastSeen),
    column(({ lastChange }) => lastChange),
    column(({ visits }) => visits),
    column(({ changes }) => changes),
    column(({ failing }) => failing),
    column(({ gone }) => gone),
    ...reportedColumns.map((_, at) => column(({ cells }) => serverCell(cells[at]!))),
  ]
}

function placeOf({ host, page }: PageKey): string {
  return `${host}.${page}`
}
