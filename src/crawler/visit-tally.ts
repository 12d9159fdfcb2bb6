import type { Outcome } from '../model/history.js'
import type { VisitRecord } from '../model/visit-record.js'

/** Visits of one run, counted as they are recorded. */
export class VisitTally {
  readonly byOutcome: Record<Outcome, number> = {
    changed: 0,
    unchanged: 0,
    first: 0,
    gone: 0,
    failed: 0,
    refused: 0,
  }
  total = 0
  notModified = 0
  bytes = 0

  add({ outcome, status, bytes }: VisitRecord): void {
    this.total++
    this.byOutcome[outcome]++
    this.bytes += bytes
    if (status === 304) this.notModified++
  }

  /** Share of the visits that saw their page and were answered 304; 0 before any. */
  get notModifiedShare(): number {
    const { changed, unchanged, first } = this.byOutcome
    const seen = changed + unchanged + first
    return seen === 0 ? 0 : this.notModified / seen
  }
}
