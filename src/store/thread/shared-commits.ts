import type { ReportFate, VisitReport } from '../../model/index.js'
import type { CalledThread } from './called-thread.js'
import { transfers } from './flat-rows.js'
import { packReports } from './packed-reports.js'

interface Waiting {
  readonly reports: readonly VisitReport[]
  readonly resolve: (fates: readonly ReportFate[]) => void
  readonly reject: (reason: unknown) => void
}

/** A commit of so many visits is one of a crowd: more will come soon. */
const crowd = 50
/** From the beginning of such a commit to that of the next, in milliseconds, at most. */
const pace = 40
/** Where none comes for so many milliseconds, the crowd is over. */
const lull = 5

/**
 * Visits reported while the last commit is on its way to the disk share the
 * next one: the slower the disk, the more of them. A commit writes whole blocks
 * of the file, and those that share it share its blocks. So in a crowd the next
 * one waits a little: with 600 visits each costs two thirds of what it does
 * with 150. Few visits wait for nobody.
 */
export class SharedCommits {
  readonly #thread: Pick<CalledThread, 'call'>
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(thread: Pick<CalledThread, 'call'>) {
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
    while (this.#waiting.length > 0) {
      const begun = performance.now()
      const visits = await this.#commit(this.#waiting.splice(0))
      if (visits >= crowd) await this.#gather(begun + pace)
    }
    this.#running = undefined
  }

  async #gather(until: number): Promise<void> {
    for (let before = -1; this.#waiting.length > before && performance.now() < until; ) {
      before = this.#waiting.length
      await new Promise((resolve) => setTimeout(resolve, lull))
    }
  }

  /** How many visits there were. */
  async #commit(waiting: readonly Waiting[]): Promise<number> {
    const all = waiting.flatMap(({ reports }) => reports)
    try {
      const packed = packReports(all)
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
    return all.length
  }
}
