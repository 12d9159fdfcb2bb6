import { outcomes } from '../model/history.js'
import { type HostRecord, newerHost } from '../model/lease.js'
import type { VisitRecord, VisitReport } from '../model/visit-record.js'
import { type FlatRows, RowPacker, RowReader } from './flat-rows.js'
import { type ReportedCells, reportedCells, reportedColumns, rowId } from './page-row.js'
import { type Cell, type Columns, pageColumns, type RowObject, visitColumns } from './schema.js'

/** Reports as they are written: nothing in them but what a column can hold. */

const leaseColumns = [
  ['page', 'integer'],
  ['token', 'integer'],
  // 1 if the lease goes on.
  ['held', 'integer'],
  // Name of the host whose record goes with this visit.
  ['host', 'text?'],
] as const satisfies Columns

const contentColumns = [
  ['body', 'blob?'],
  // Of the body, where it is known already.
  ['digest', 'text?'],
  ['media_type', 'text?'],
  // JSON.
  ['headers', 'text?'],
] as const satisfies Columns

type VisitCells = Readonly<RowObject<typeof visitColumns>>

export interface WrittenReport {
  readonly lease: Readonly<RowObject<typeof leaseColumns>>
  readonly visit: VisitCells
  readonly page: ReportedCells
  readonly content: Readonly<RowObject<typeof contentColumns>>
}

/** The parts of a report in the order of its cells on the way between threads. */
const parts = {
  lease: leaseColumns,
  visit: visitColumns,
  page: [
    ['given', 'integer'],
    ...pageColumns.filter(([name]) => ['due', 'reason', ...reportedColumns].includes(name)),
  ],
  content: contentColumns,
} as const satisfies Record<keyof WrittenReport, Columns>

const partColumns: readonly (readonly [keyof WrittenReport, Columns])[] = Object.entries(
  parts,
) as never
const cellCount = partColumns.reduce((sum, [, columns]) => sum + columns.length, 0)

/** What politeness remembers of a host, as it is written. */
export interface WrittenHost {
  readonly host: string
  readonly state: string
  readonly until: number | null
  /** Null leaves what was there. */
  readonly hints: string | null
  /** Fence of the record; null where it has none. */
  readonly token: number | null
  readonly step: number | null
}

export interface WrittenReports {
  readonly visits: readonly WrittenReport[]
  /** One record for each host that the visits name. */
  readonly hosts: readonly WrittenHost[]
}

export function writtenHost({ host, state, blockedUntil, hints, fence }: HostRecord): WrittenHost {
  return {
    host,
    state: JSON.stringify(state),
    until: blockedUntil,
    hints: hints === undefined ? null : JSON.stringify(hints),
    token: fence?.token ?? null,
    step: fence?.step ?? null,
  }
}

function writtenReport(report: VisitReport): WrittenReport {
  const { lease, visit, content, host } = report
  const page = rowId(lease.page.id)
  return {
    lease: {
      page,
      token: lease.token,
      held: report.keepLease === true ? 1 : 0,
      host: host?.host ?? null,
    },
    visit: visitCells(page, visit),
    page: reportedCells(report),
    content: {
      body: content?.body ?? null,
      digest: content?.digest ?? null,
      media_type: content?.mediaType ?? null,
      headers: content?.headers === undefined ? null : JSON.stringify(content.headers),
    },
  }
}

function visitCells(page: number, visit: VisitRecord): VisitCells {
  return {
    page,
    at: visit.at,
    outcome: outcomes.indexOf(visit.outcome),
    status: visit.status,
    gap: visit.gap,
    content_age: visit.contentAge,
    last_modified: visit.lastModified ?? null,
    bytes: visit.bytes,
    duration: visit.duration,
    fault: visit.fault,
    fingerprint: visit.fingerprint,
    calm_for: visit.unchangedFor ?? null,
  }
}

export function visitFrom(row: VisitCells): VisitRecord {
  return {
    at: row.at,
    outcome: outcomes[row.outcome]!,
    ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
    ...(row.calm_for === null ? {} : { unchangedFor: row.calm_for }),
    status: row.status,
    gap: row.gap,
    contentAge: row.content_age,
    fingerprint: row.fingerprint,
    bytes: row.bytes,
    duration: row.duration,
    fault: row.fault,
  }
}

/** Reports on their way to the store, packed as they come. */
export interface PackedReports {
  readonly visits: FlatRows
  readonly hosts: readonly WrittenHost[]
}

/** Packs reports as they come. */
export class ReportPacker {
  readonly #visits: RowPacker
  readonly #hosts = new Map<string, HostRecord>()

  /** With room for as much as `like` came to be. */
  constructor(like?: ReportPacker) {
    this.#visits = new RowPacker(cellCount, like === undefined ? undefined : like.#visits.room)
  }

  get count(): number {
    return this.#visits.rows
  }

  /** All of them, or none where one cannot be written. */
  add(reports: readonly VisitReport[]): void {
    for (const report of reports.map(writtenReport)) this.#pack(report)
    for (const { host } of reports)
      if (host !== undefined)
        this.#hosts.set(host.host, newerHost(this.#hosts.get(host.host), host))
  }

  /** All of them. None can be added after it. */
  packed(): PackedReports {
    return { visits: this.#visits.packed(), hosts: Array.from(this.#hosts.values(), writtenHost) }
  }

  #pack(report: WrittenReport): void {
    const to = this.#visits
    to.begin()
    for (const [part, columns] of partColumns) {
      const cells: Readonly<Record<string, Cell>> = report[part]
      for (const [name, type] of columns) to.cell(type, cells[name]!)
    }
    to.end()
  }
}

export function unpackReports({ visits, hosts }: PackedReports): WrittenReports {
  const reports = Array.from({ length: visits.rows }, (_, row) => {
    const from = new RowReader(visits, row)
    const report: Record<string, unknown> = {}
    for (const [part, columns] of partColumns) {
      const cells: Record<string, Cell> = {}
      for (const [name, type] of columns) cells[name] = from.cell(type)
      report[part] = cells
    }
    return report as unknown as WrittenReport
  })
  return { visits: reports, hosts }
}
