import type { VisitReport } from '../../model/index.js'
import {
  type WrittenHost,
  type WrittenReports,
  type WrittenVisit,
  writtenReports,
} from '../sqlite/written-visit.js'
import { type FlatRows, packRows, shapeOf, unpackRows } from './flat-rows.js'

/** Reports on their way between threads. */
export interface PackedReports {
  readonly visits: FlatRows
  readonly hosts: readonly WrittenHost[]
}

const visitShape = shapeOf<WrittenVisit>({
  page: 'number',
  token: 'number',
  at: 'number',
  outcome: 'number',
  status: 'number',
  gap: 'number',
  contentAge: 'number',
  lastModified: 'number',
  calmFor: 'number',
  bytes: 'number',
  duration: 'number',
  fault: 'text',
  fingerprint: 'text',
  due: 'number',
  reason: 'text',
  learner: 'text',
  state: 'bytes',
  told: 'number',
  etag: 'text',
  modified: 'text',
  hints: 'text',
  noise: 'text',
  movedTo: 'text',
  held: 'number',
  host: 'text',
  body: 'bytes',
  digest: 'text',
  mediaType: 'text',
  headers: 'text',
})

export function packReports(reports: readonly VisitReport[]): PackedReports {
  const { visits, hosts } = writtenReports(reports)
  return { visits: packRows(visits, visitShape), hosts }
}

export function unpackReports({ visits, hosts }: PackedReports): WrittenReports {
  const blank = () => ({}) as WrittenVisit
  return { visits: unpackRows(visits, { shape: visitShape, blank }), hosts }
}
