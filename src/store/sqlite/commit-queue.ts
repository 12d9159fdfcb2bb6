import type { ReportFate } from '../../model/index.js'
import type { Database } from './database.js'
import type { ReadyReports, Recorder } from './recorder.js'

interface Waiting {
  readonly reports: ReadyReports
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
  add(reports: ReadyReports): Promise<readonly ReportFate[]> {
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
      const all = waiting.map(({ reports }) => reports)
      const fates = this.#db.writeBeside(() => this.#recorder.record(all))
      waiting.forEach(({ resolve }, at) => {
        resolve(fates[at]!)
      })
    } catch (reason) {
      for (const { reject } of waiting) reject(reason)
    }
  }
}
