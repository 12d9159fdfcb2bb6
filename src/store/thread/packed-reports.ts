import { outcomes, type VisitReport } from '../../model/index.js'
import { packNumbers } from '../sparse-numbers.js'
import { rowId } from '../sqlite/page-row.js'
import {
  type HostRecords,
  keepHost,
  textOf,
  type WrittenHost,
  type WrittenReports,
  type WrittenVisit,
  writtenHosts,
} from '../sqlite/written-visit.js'
import { type FlatRows, RowPacker, RowReader } from './flat-rows.js'

/** Reports on their way between threads. */
export interface PackedReports {
  readonly visits: FlatRows
  readonly hosts: readonly WrittenHost[]
}

/** Of `packVisit` and `visitFrom`. */
const cells = 29

/** A report as `writtenVisit` has it, cell by cell: a record in between would cost as much again. */
function packVisit(to: RowPacker, report: VisitReport): void {
  const { lease, visit, due, state, validators, content, host } = report
  // Whatever can fail comes first: of a row that was begun all cells follow.
  const hints = textOf(report.hints)
  const noise = textOf(report.noise)
  const headers = content?.headers === undefined ? null : JSON.stringify(content.headers)
  const page = rowId(lease.page.id)
  to.begin()
  to.number(page)
  to.number(lease.token)
  to.number(visit.at)
  to.number(outcomes.indexOf(visit.outcome))
  to.number(visit.status)
  to.number(visit.gap)
  to.number(visit.contentAge)
  to.number(visit.lastModified ?? null)
  to.number(visit.calmFor ?? null)
  to.number(visit.bytes)
  to.number(visit.duration)
  to.text(visit.fault)
  to.text(visit.fingerprint)
  to.number(due.at === 'never' ? null : due.at)
  to.text(due.reason)
  to.text(state === undefined ? null : state.learner)
  to.list(state === undefined ? null : state.numbers)
  to.number(validators === undefined ? 0 : 1)
  to.text(validators?.etag ?? null)
  to.text(validators?.lastModified ?? null)
  to.text(hints)
  to.text(noise)
  to.text(report.movedTo ?? null)
  to.number(report.keepLease === true ? 1 : 0)
  to.text(host === undefined ? null : host.host)
  to.bytes(content === undefined ? null : content.body)
  to.text(content?.digest ?? null)
  to.text(content?.mediaType ?? null)
  to.text(headers)
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
    state: stateBytes(row.listOrNull()),
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

function stateBytes(numbers: Float64Array | null): Uint8Array | null {
  return numbers === null ? null : packNumbers(numbers)
}

/** Packs reports as they come. */
export class ReportPacker {
  readonly #visits: RowPacker
  readonly #hosts: HostRecords = new Map()
  #count = 0

  /** With room for as much as `like` came to be. */
  constructor(like?: ReportPacker) {
    const room = like === undefined ? undefined : like.#visits.room
    this.#visits = new RowPacker(cells, room)
  }

  get count(): number {
    return this.#count
  }

  add(report: VisitReport): void {
    packVisit(this.#visits, report)
    keepHost(this.#hosts, report)
    this.#count++
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
