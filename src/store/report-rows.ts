import { outcomes } from '../model/history.js'
import { type HostRecord, newerHost } from '../model/lease.js'
import type { LoggedVisit, VisitRecord, VisitReport } from '../model/visit-record.js'
import { type FlatRows, RowPacker, RowReader } from './flat-rows.js'
import { type ReportedCells, reportedCells, reportedColumns, rowId } from './page-row.js'
import {
  type RowObject,
  tagsIn,
  unchangedForColumn,
  type VisitRow,
  visitColumns,
} from './schema.js'
import type { Gatherer } from './write-buffer.js'

/** A report as it is written: nothing in it but what a column can hold. */
export interface WrittenReport {
  readonly token: number
  readonly reportedAt: number
  /** 1 if the lease goes on. */
  readonly held: number
  /** Name of the host whose record goes with this visit. */
  readonly host: string | null
  readonly visit: VisitRow
  /** Null for never. */
  readonly due: number | null
  readonly reason: string
  readonly reported: ReportedCells
  readonly content: WrittenContent
}

export interface WrittenContent {
  readonly body: Uint8Array | null
  /** Of the body, where it is known already. */
  readonly digest: string | null
  readonly mediaType: string | null
  /** JSON. */
  readonly headers: string | null
}

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
  const { lease, visit, content, host, due } = report
  return {
    token: lease.token,
    reportedAt: report.reportedAt ?? visit.at,
    held: report.keepLease === true ? 1 : 0,
    host: host === undefined ? null : host.host,
    visit: visitRow(rowId(lease.page.id), visit),
    due: due.at === 'never' ? null : due.at,
    reason: due.reason,
    reported: reportedCells(report),
    content: {
      body: content?.body ?? null,
      digest: content?.digest ?? null,
      mediaType: content?.mediaType ?? null,
      headers: content?.headers === undefined ? null : JSON.stringify(content.headers),
    },
  }
}

/** In the order of `visitColumns`. */
export function visitRow(page: number, visit: VisitRecord): VisitRow {
  return [
    page,
    visit.at,
    outcomes.indexOf(visit.outcome),
    visit.status,
    visit.gap,
    visit.contentAge,
    visit.lastModified ?? null,
    visit.bytes,
    visit.duration,
    visit.fault,
    visit.fingerprint,
    visit.unchangedFor ?? null,
  ]
}

export function visitFrom(row: RowObject<typeof visitColumns>): VisitRecord {
  return {
    at: row.at,
    outcome: outcomes[row.outcome]!,
    ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
    ...(row[unchangedForColumn] === null ? {} : { unchangedFor: row[unchangedForColumn] }),
    status: row.status,
    gap: row.gap,
    contentAge: row.content_age,
    fingerprint: row.fingerprint,
    bytes: row.bytes,
    duration: row.duration,
    fault: row.fault,
  }
}

/** A visit with what is shown of its page. */
export interface LoggedRow extends RowObject<typeof visitColumns> {
  readonly url: string
  readonly page_group: string | null
  readonly tags: string | null
}

export function loggedVisit(
  row: LoggedRow,
  { number, page: id }: { readonly number: number; readonly page: string },
): LoggedVisit {
  const { url, page_group: group, tags } = row
  const page = {
    id,
    url,
    ...(group === null ? {} : { group }),
    ...(tags === null ? {} : { tags: tagsIn(tags) }),
  }
  return { ...visitFrom(row), number, page }
}

/** Reports on their way to the store, packed as they come. */
export interface PackedReports {
  readonly visits: FlatRows
  readonly hosts: readonly WrittenHost[]
}

/** Begins a batch for the file, with room for as much as the one before came to be. */
export function reportPacker(before?: Gatherer<PackedReports>): ReportPacker {
  return new ReportPacker(before instanceof ReportPacker ? before : undefined)
}

/** Packs reports as they come. */
class ReportPacker implements Gatherer<PackedReports> {
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
    const before = this.#visits.rows
    try {
      for (const report of reports) this.#pack(writtenReport(report))
    } catch (reason) {
      this.#visits.backTo(before)
      throw reason
    }
    for (const { host } of reports)
      if (host !== undefined)
        this.#hosts.set(host.host, newerHost(this.#hosts.get(host.host), host))
  }

  /** All of them. None can be added after it. */
  packed(): PackedReports {
    return { visits: this.#visits.packed(), hosts: Array.from(this.#hosts.values(), writtenHost) }
  }

  #pack(report: WrittenReport): void {
    const { token, held, host, visit, due, reason, reported, content } = report
    const to = this.#visits
    to.begin()
    to.number(token)
    to.number(report.reportedAt)
    to.number(held)
    to.text(host)
    to.row(visitColumns, visit)
    to.number(due)
    to.text(reason)
    to.number(reported.given)
    to.row(reportedColumns, reported.cells)
    to.bytes(content.body)
    to.text(content.digest)
    to.text(content.mediaType)
    to.text(content.headers)
    to.end()
  }
}

const cellCount = visitColumns.length + reportedColumns.length + 11

export function unpackReports({ visits, hosts }: PackedReports): WrittenReports {
  const reports = Array.from({ length: visits.rows }, (_, row): WrittenReport => {
    const from = new RowReader(visits, row)
    return {
      token: from.number(),
      reportedAt: from.number(),
      held: from.number(),
      host: from.textOrNull(),
      visit: from.row(visitColumns),
      due: from.numberOrNull(),
      reason: from.text(),
      reported: { given: from.number(), cells: from.row(reportedColumns) },
      content: {
        body: from.bytesOrNull(),
        digest: from.textOrNull(),
        mediaType: from.textOrNull(),
        headers: from.textOrNull(),
      },
    }
  })
  return { visits: reports, hosts }
}
