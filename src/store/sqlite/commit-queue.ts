import type { ReportFate } from '../../model/index.js'
import type { Database } from './database.js'
import type { ReadyReport, Recorder } from './recorder.js'

interface Waiting {
  readonly reports: readonly ReadyReport[]
  readonly resolve: (fates: readonly ReportFate[]) => void
  readonly reject: (reason: unknown) => void
}

/** A visit waits no longer for others, in milliseconds. */
const longestWait = 5

/**
 * Visits reported in the same turns of the event loop share one commit: a sync
 * of the disk takes as long as writing a hundred visits. As long as each turn
 * brings another report the commit waits, for a few milliseconds at most; a
 * visit that comes alone waits one turn.
 */
export class CommitQueue {
  readonly #db: Database
  readonly #recorder: Recorder
  #waiting: Waiting[] = []

  constructor(parts: { readonly db: Database; readonly recorder: Recorder }) {
    this.#db = parts.db
    this.#recorder = parts.recorder
  }

  /** Resolves after the sync; a commit that fails fails for all that shared it, and nothing of it stays. */
  add(reports: readonly ReadyReport[]): Promise<readonly ReportFate[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ reports, resolve, reject })
      if (this.#waiting.length === 1) this.#gather({ until: performance.now() + longestWait })
    })
  }

  #gather({ until }: { readonly until: number }): void {
    const gathered = this.#waiting.length
    setImmediate(() => {
      const more = this.#waiting.length > gathered && performance.now() < until
      if (more) this.#gather({ until })
      else this.#flush()
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const all = waiting.flatMap((each) => each.reports)
      const fates = this.#db.write(() => this.#recorder.record(all))
      let at = 0
      for (const { reports, resolve } of waiting) {
        resolve(fates.slice(at, at + reports.length))
        at += reports.length
      }
    } catch (reason) {
      for (const { reject } of waiting) reject(reason)
    }
  }
}
