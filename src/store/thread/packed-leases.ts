import type { HostRecord, Lease, LeaseRef, LeaseRequest } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import type { QueueAddress } from '../../model/queue.js'
import type { UnixSeconds } from '../../model/units.js'
import { type FlatRows, numberAt, RowPacker, RowReader } from '../flat-rows.js'
import { pageFrom } from '../page-row.js'
import { claimToken, noLease } from '../queue-rules.js'
import { column, type PageRow, pageColumns } from '../schema.js'
import { type HostRow, hostRecord } from '../sqlite/hosts.js'
import type { LeasedRows } from '../sqlite/leases.js'

/** Leases on their way between threads. */
export interface PackedLeases {
  readonly leased: FlatRows
  readonly firstToken: number
  /** The records of their hosts, as their rows have them. */
  readonly hosts: readonly HostRow[]
}

/** Claims on their way. */
export interface PackedClaims {
  readonly leased: FlatRows
  /** Of each address whether it is there. */
  readonly isThere: readonly boolean[]
}

export function packLeases({ rows, firstToken, hosts }: LeasedRows): PackedLeases {
  return { leased: packedPages(rows), firstToken, hosts }
}

export function packClaims(rows: readonly (PageRow | undefined)[]): PackedClaims {
  const there = rows.filter((row) => row !== undefined)
  return { leased: packedPages(there), isThere: rows.map((row) => row !== undefined) }
}

function packedPages(rows: readonly PageRow[]): FlatRows {
  const many = rows.length
  const packer = new RowPacker(pageColumns.length, { rows: many, bytes: 0, listed: 16 * many })
  for (const row of rows) {
    packer.begin()
    packer.row(pageColumns, row)
    packer.end()
  }
  return packer.packed()
}

/** Pages that were leased together, as they came. */
interface LeaseBatch {
  readonly leased: FlatRows
  readonly collection: string
  /** By number; none of claims, which are asked for none. */
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
    this.#page ??= pageFrom(
      new RowReader(leased, this.#row).row(pageColumns),
      collection,
      this.host,
    )
    return this.#page
  }

  /** Read by the first of a host alone, mostly: the others find its host held. */
  get hostRecord(): HostRecord | null {
    const { leased, hosts } = this.#batch
    const row = hosts.get(numberAt(leased, this.#row, column.host))
    return row === undefined ? null : hostRecord(row)
  }

  /** What names it to the store. */
  get ref(): LeaseRef {
    const id = numberAt(this.#batch.leased, this.#row, column.id)
    return { page: { id: String(id) }, token: this.token }
  }

  fold(): void {
    this.#page = undefined
  }
}

export function unpackLeases(packed: PackedLeases, request: LeaseRequest): Lease[] {
  const { leased, firstToken } = packed
  const { collection, worker, now, ttl } = request
  const hosts = new Map(packed.hosts.map((row) => [row.id, row]))
  const batch = { leased, collection, hosts }
  const expiresAt = now + ttl
  return Array.from({ length: leased.rows }, (_, row) => {
    // One text for all pages of a host.
    const host = hosts.get(numberAt(leased, row, column.host))!.name
    return new PackedLease(batch, { row, host, token: firstToken + row, worker, expiresAt })
  })
}

export function unpackClaims(
  { leased, isThere }: PackedClaims,
  addresses: readonly QueueAddress[],
): (Lease | null)[] {
  const batches = new Map<string, LeaseBatch>()
  let next = 0
  return addresses.map(({ collection, key }, at) => {
    if (!isThere[at]) return null
    const row = next++
    const batch = batches.get(collection) ?? { leased, collection, hosts: new Map() }
    batches.set(collection, batch)
    const newest = numberAt(leased, row, column.newest_visit)
    const token = claimToken(Number.isNaN(newest) ? null : newest)
    return new PackedLease(batch, { row, host: key, token, ...noLease })
  })
}
