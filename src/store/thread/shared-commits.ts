import type { ReportFate, VisitReport } from '../../model/index.js'
import type { CalledThread } from './called-thread.js'
import { transfers } from './flat-rows.js'
import { packReports } from './packed-reports.js'

interface Waiting {
  readonly reports: readonly VisitReport[]
  readonly resolve: (fates: readonly ReportFate[]) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Visits reported while the last commit is on its way to the disk share the
 * next one: the slower the disk, the more of them.
 */
export class SharedCommits {
  readonly #thread: CalledThread
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(thread: CalledThread) {
    this.#thread = thread
  }

  /** Resolves after the sync; a commit that fails fails for all that shared it. */
  add(reports: readonly VisitReport[]): Promise<readonly ReportFate[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ reports, resolve, reject })
      this.#running ??= this.#commitAll()
    })
  }

  /** Resolves once nothing waits. */
  async ended(): Promise<void> {
    await this.#running
  }

  /** What is reported in the same turn of the event loop goes together. */
  async #commitAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0))
    this.#running = undefined
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    try {
      const packed = packReports(waiting.flatMap(({ reports }) => reports))
      const transfer = transfers(packed.visits)
      const call = { method: 'recordVisits', args: [packed] } as const
      const fates = await this.#thread.call<ReportFate[]>(call, transfer)
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
