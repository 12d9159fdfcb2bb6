import type { VisitReport } from '../../model/index.js'
import {
  type HostRecords,
  keepHost,
  type WrittenHost,
  type WrittenReports,
  type WrittenVisit,
  writtenHosts,
  writtenVisit,
} from '../sqlite/written-visit.js'
import { type FlatRows, RowPacker, RowReader } from './flat-rows.js'

/** Reports on their way between threads. */
export interface PackedReports {
  readonly visits: FlatRows
  readonly hosts: readonly WrittenHost[]
}

/** Of `packVisit` and `visitFrom`, in the same order. */
const cells = 29

function packVisit(to: RowPacker, visit: WrittenVisit): void {
  to.begin()
  to.number(visit.page)
  to.number(visit.token)
  to.number(visit.at)
  to.number(visit.outcome)
  to.number(visit.status)
  to.number(visit.gap)
  to.number(visit.contentAge)
  to.number(visit.lastModified)
  to.number(visit.calmFor)
  to.number(visit.bytes)
  to.number(visit.duration)
  to.text(visit.fault)
  to.text(visit.fingerprint)
  to.number(visit.due)
  to.text(visit.reason)
  to.text(visit.learner)
  to.list(visit.state)
  to.number(visit.told)
  to.text(visit.etag)
  to.text(visit.modified)
  to.text(visit.hints)
  to.text(visit.noise)
  to.text(visit.movedTo)
  to.number(visit.held)
  to.text(visit.host)
  to.bytes(visit.body)
  to.text(visit.digest)
  to.text(visit.mediaType)
  to.text(visit.headers)
  to.end()
}

function visitFrom(row: RowReader): WrittenVisit {
  return {
    page: row.number(),
    token: row.number(),
    at: row.number(),
    outcome: row.number(),
    status: row.numberOrNull(),
    gap: row.numberOrNull(),
    contentAge: row.numberOrNull(),
    lastModified: row.numberOrNull(),
    calmFor: row.numberOrNull(),
    bytes: row.number(),
    duration: row.number(),
    fault: row.textOrNull(),
    fingerprint: row.textOrNull(),
    due: row.numberOrNull(),
    reason: row.text(),
    learner: row.textOrNull(),
    state: row.listOrNull(),
    told: row.number(),
    etag: row.textOrNull(),
    modified: row.textOrNull(),
    hints: row.textOrNull(),
    noise: row.textOrNull(),
    movedTo: row.textOrNull(),
    held: row.number(),
    host: row.textOrNull(),
    body: row.bytesOrNull(),
    digest: row.textOrNull(),
    mediaType: row.textOrNull(),
    headers: row.textOrNull(),
  }
}

/** Packs reports as they come. */
export class ReportPacker {
  readonly #visits: RowPacker
  readonly #hosts: HostRecords = new Map()

  /** With room for as much as `like` came to be. */
  constructor(like?: ReportPacker) {
    const room = like === undefined ? undefined : like.#visits.room
    this.#visits = new RowPacker(cells, room)
  }

  get count(): number {
    return this.#visits.rows
  }

  /** All of them, or none where one cannot be written. */
  add(reports: readonly VisitReport[]): void {
    for (const visit of reports.map(writtenVisit)) packVisit(this.#visits, visit)
    for (const report of reports) keepHost(this.#hosts, report)
  }

  /** All of them. None can be added after it. */
  packed(): PackedReports {
    return { visits: this.#visits.packed(), hosts: writtenHosts(this.#hosts) }
  }
}

export function unpackReports({ visits, hosts }: PackedReports): WrittenReports {
  const unpacked = Array.from({ length: visits.rows }, (_, row) =>
    visitFrom(new RowReader(visits, row)),
  )
  return { visits: unpacked, hosts }
}
