import type { HostRecord, Lease, LeaseRef, LeaseRequest } from '../../model/lease.js'
import { hostOf, type PageRecord } from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import type { VisitReport } from '../../model/visit-record.js'
import { hostColumn, numbersIn, type PageRow, pageColumns, pageFrom } from '../page-row.js'
import {
  type HostRecords,
  keepHost,
  type WrittenHost,
  type WrittenReports,
  type WrittenVisit,
  writtenHosts,
  writtenVisit,
} from '../report-rows.js'
import { type HostRow, hostRecord } from '../sqlite/hosts.js'
import type { LeasedRows } from '../sqlite/leases.js'
import { type FlatRows, numberAt, RowPacker, RowReader } from './flat-rows.js'

/** Leases on their way between threads. */
export interface PackedLeases {
  readonly leased: FlatRows
  readonly firstToken: number
  /** The records of their hosts, as their rows have them. */
  readonly hosts: readonly HostRow[]
}

export function packLeases({ rows, firstToken, hosts }: LeasedRows): PackedLeases {
  const many = rows.length
  const packer = new RowPacker(pageColumns.length, { rows: many, bytes: 0, listed: 16 * many })
  for (const row of rows) packPage(packer, row)
  return { leased: packer.packed(), firstToken, hosts }
}

/** The columns of `PageRow` in their order, here and below. */
function packPage(to: RowPacker, row: PageRow): void {
  to.begin()
  to.number(row[0])
  to.text(row[1])
  to.number(row[2])
  to.text(row[3])
  to.number(row[4])
  to.text(row[5])
  to.number(row[6])
  for (let column = 7; column <= 12; column++) to.text(row[column] as string | null)
  for (let column = 13; column <= 21; column++) to.number(row[column] as number | null)
  to.text(row[22])
  to.list(numbersIn(row[23]))
  to.number(row[24])
  to.text(row[25])
  to.number(row[26])
  to.number(row[27])
  to.end()
}

function pageRow(from: RowReader): PageRow {
  return [
    from.number(),
    from.text(),
    from.numberOrNull(),
    from.text(),
    from.number(),
    from.textOrNull(),
    from.number(),
    from.textOrNull(),
    from.textOrNull(),
    from.textOrNull(),
    from.textOrNull(),
    from.textOrNull(),
    from.textOrNull(),
    from.numberOrNull(),
    from.numberOrNull(),
    from.numberOrNull(),
    from.numberOrNull(),
    from.numberOrNull(),
    from.number(),
    from.number(),
    from.number(),
    from.number(),
    from.textOrNull(),
    from.listOrNull(),
    from.number(),
    from.textOrNull(),
    from.number(),
    from.numberOrNull(),
  ]
}

/** Pages that were leased together, as they came. */
interface LeaseBatch {
  readonly leased: FlatRows
  readonly collection: string
  /** By number. */
  readonly hosts: ReadonlyMap<number, HostRow>
}

/**
 * A lease whose page is unpacked when it is looked at, and folded again while
 * its visit is on its way to the disk: hundreds of pages wait at any time, and
 * the garbage collector would move each of their fields about.
 */
export class PackedLease implements Lease {
  readonly host: string
  readonly token: number
  readonly worker: string
  readonly expiresAt: UnixSeconds
  readonly #batch: LeaseBatch
  readonly #row: number
  #page: PageRecord | undefined

  constructor(
    batch: LeaseBatch,
    {
      row,
      host,
      token,
      worker,
      expiresAt,
    }: Omit<Lease, 'page' | 'hostRecord'> & { readonly row: number },
  ) {
    this.host = host
    this.token = token
    this.worker = worker
    this.expiresAt = expiresAt
    this.#batch = batch
    this.#row = row
  }

  get page(): PageRecord {
    const { leased, collection } = this.#batch
    this.#page ??= pageFrom(pageRow(new RowReader(leased, this.#row)), collection, this.host)
    return this.#page
  }

  /** Read by the first of a host alone, mostly: the others find its host held. */
  get hostRecord(): HostRecord | null {
    const { leased, hosts } = this.#batch
    return hostRecord(this.host, hosts.get(numberAt(leased, this.#row, hostColumn))!)
  }

  /** What names it to the store. */
  get ref(): LeaseRef {
    const id = numberAt(this.#batch.leased, this.#row, 0)
    return { page: { id: String(id) }, token: this.token }
  }

  fold(): void {
    this.#page = undefined
  }
}

export function unpackLeases(packed: PackedLeases, request: LeaseRequest): Lease[] {
  const { leased, firstToken } = packed
  const { collection, worker, now, ttl } = request
  const batch = { leased, collection, hosts: new Map(packed.hosts.map((row) => [row.id, row])) }
  const expiresAt = now + ttl
  const hosts = new Map<number, string>()
  return Array.from({ length: leased.rows }, (_, row) => {
    const host = hostName(leased, row, hosts)
    return new PackedLease(batch, { row, host, token: firstToken + row, worker, expiresAt })
  })
}

/** One text for all pages of a host. */
function hostName(leased: FlatRows, row: number, known: Map<number, string>): string {
  const number = numberAt(leased, row, hostColumn)
  const name = known.get(number) ?? hostOf(addressOf(new RowReader(leased, row)))
  known.set(number, name)
  return name
}

function addressOf(row: RowReader): string {
  row.number()
  return row.text()
}

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
  to.number(visit.unchangedFor)
  to.number(visit.bytes)
  to.number(visit.duration)
  to.text(visit.fault)
  to.text(visit.fingerprint)
  to.number(visit.due)
  to.text(visit.reason)
  to.text(visit.learner)
  to.list(visit.state)
  to.number(visit.hasValidators)
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
    unchangedFor: row.numberOrNull(),
    bytes: row.number(),
    duration: row.number(),
    fault: row.textOrNull(),
    fingerprint: row.textOrNull(),
    due: row.numberOrNull(),
    reason: row.text(),
    learner: row.textOrNull(),
    state: row.listOrNull(),
    hasValidators: row.number(),
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
