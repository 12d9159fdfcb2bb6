import type { Refusal } from '../refusal.js'
import type { VisitFields } from './visit-fields.js'

/** What a format hands its records to: fill `fields`, then `take`, or `refuse` the line. */
export interface RecordTaker {
  readonly fields: VisitFields
  take(line: number): void
  refuse(line: number, refusal: Refusal): void
}
