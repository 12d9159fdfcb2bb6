import type { SavedVisit } from '../../engine/index.js'
import type { Outcome, Seconds } from '../../model/index.js'

/** Visits of one run, counted as they are recorded. */
export class VisitTally {
  readonly #wall: () => Seconds
  readonly #began: Seconds
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
  /** Real time from the start to the first recorded visit; null before it. */
  firstAfter: Seconds | null = null

  /** `wall`: real seconds from any origin on. */
  constructor(wall: () => Seconds) {
    this.#wall = wall
    this.#began = wall()
  }

  add({ visit }: Pick<SavedVisit, 'visit'>): void {
    this.firstAfter ??= this.elapsed
    this.total++
    this.byOutcome[visit.outcome]++
    this.bytes += visit.bytes
    if (visit.status === 304) this.notModified++
  }

  /** Real time since the start. */
  get elapsed(): Seconds {
    return this.#wall() - this.#began
  }

  /** Of the visits that saw their page. */
  get notModifiedShare(): number {
    const { changed, unchanged, first } = this.byOutcome
    const seen = changed + unchanged + first
    return seen === 0 ? 0 : this.notModified / seen
  }
}
