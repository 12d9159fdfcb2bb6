import type { Lease, LeaseRequest } from '../../model/index.js'
import { type LeasedRows, leasesOf } from '../sqlite/leases.js'
import type { PageRow } from '../sqlite/page-row.js'
import { type CellKind, type FlatRows, packRows, type Shape, unpackRows } from './flat-rows.js'

/** The kinds of a page's columns: id, address, due time and so on, in the order of `PageRow`. */
const kinds: KindsOf<PageRow> = [
  'number',
  'text',
  'number',
  'text',
  'number',
  'text',
  'number',
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
  'number',
  'number',
  'number',
  'number',
  'number',
  'number',
  'number',
  'number',
  'number',
  'text',
  'bytes',
  'number',
  'text',
  'number',
  'number',
]
const pageShape: Shape = kinds.map((kind, at) => [at, kind])

/** Leases on their way between threads. */
export interface PackedLeases {
  readonly leased: FlatRows
  readonly firstToken: number
}

export function packLeases({ rows, firstToken }: LeasedRows): PackedLeases {
  return { leased: packRows(rows, pageShape), firstToken }
}

export function unpackLeases({ leased, firstToken }: PackedLeases, request: LeaseRequest): Lease[] {
  const blank = () => new Array<never>(pageShape.length)
  const rows = unpackRows(leased, { shape: pageShape, blank }) as unknown as PageRow[]
  return leasesOf({ rows, firstToken }, { ...request, collectionOf: () => request.collection })
}

type KindsOf<Row extends readonly unknown[]> = { readonly [Column in keyof Row]: CellKind }
