import type { UnixSeconds, VisitRecord } from '../../model/index.js'

/** Visits a second are told over this many seconds. */
const recentSeconds = 10

/** What a run has done so far. */
export class RunTally {
  readonly since: UnixSeconds
  visits = 0
  changes = 0
  notModified = 0
  /** Visits that saw the page. */
  seen = 0
  failed = 0
  bytes = 0
  /** Visits by second, the last of them. */
  readonly #recent = new Map<number, number>()

  constructor(since: UnixSeconds) {
    this.since = since
  }

  add({ outcome, status, bytes }: VisitRecord, now: UnixSeconds): void {
    this.visits++
    this.bytes += bytes
    if (outcome === 'changed') this.changes++
    if (outcome === 'failed') this.failed++
    if (outcome === 'changed' || outcome === 'unchanged' || outcome === 'first') this.seen++
    if (status === 304) this.notModified++
    const second = Math.floor(now)
    this.#recent.set(second, (this.#recent.get(second) ?? 0) + 1)
    if (this.#recent.size > 2 * recentSeconds) this.#forget(second)
  }

  /** Share of the visits that saw the page and were answered 304; 0 before any. */
  get notModifiedShare(): number {
    return this.seen === 0 ? 0 : this.notModified / this.seen
  }

  /** Visits a second of late. */
  visitsPerSecond(now: UnixSeconds): number {
    const length = Math.max(1, Math.min(recentSeconds, now - this.since))
    let sum = 0
    for (const [second, visits] of this.#recent) if (second >= now - length) sum += visits
    return sum / length
  }

  #forget(now: number): void {
    for (const second of this.#recent.keys())
      if (second < now - recentSeconds) this.#recent.delete(second)
  }
}
