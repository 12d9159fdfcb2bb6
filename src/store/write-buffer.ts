import type { RecordResult, VisitReport } from '../model/visit-record.js'
import { checkReport } from './request-checks.js'

/** A commit of so many calls is one of a crowd: more will come soon. */
const crowd = 50
/** From the beginning of such a commit to that of the next, in milliseconds, at most. */
const commitEvery = 40
/** Where none comes for so many milliseconds, the crowd is over. */
const lull = 5

/** Gathers reports as they come, in the form in which they are written. */
export interface Gatherer<Gathered> {
  readonly count: number
  /** All of them, or none where one cannot be written. */
  add(reports: readonly VisitReport[]): void
  /** All of them. None can be added after it. */
  packed(): Gathered
}

/** Visits that will share a commit. */
class Batch<Gathered> {
  readonly reports: Gatherer<Gathered>
  calls = 0
  resolve!: (results: readonly RecordResult[]) => void
  reject!: (reason: unknown) => void
  readonly results = new Promise<readonly RecordResult[]>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor(reports: Gatherer<Gathered>) {
    this.reports = reports
  }
}

/**
 * Visits on their way to the disk. Those reported while the last commit is
 * under way share the next one: the slower the disk, the more of them. A commit
 * writes whole blocks of the file, and those that share it share its blocks. So
 * in a crowd the next one waits a little: with 600 visits each costs two thirds
 * of what it does with 150. Few visits wait for nobody, nor does one caller
 * who brings many at once and waits for them.
 */
export class WriteBuffer<Gathered> {
  readonly #gatherer: (before?: Gatherer<Gathered>) => Gatherer<Gathered>
  readonly #write: (reports: Gathered) => Promise<readonly RecordResult[]>
  #next: Batch<Gathered>
  #running: Promise<void> | undefined

  /**
   * `gatherer` begins the next batch, with the one before to go by; `write`
   * commits all of one, or fails and nothing of them stays.
   */
  constructor(
    gatherer: (before?: Gatherer<Gathered>) => Gatherer<Gathered>,
    write: (reports: Gathered) => Promise<readonly RecordResult[]>,
  ) {
    this.#gatherer = gatherer
    this.#write = write
    this.#next = new Batch(gatherer())
  }

  /** Resolves after the sync; a commit that fails fails for all that shared it. Throws where a report cannot be written. */
  add(reports: readonly VisitReport[]): Promise<readonly RecordResult[]> {
    for (const report of reports) checkReport(report)
    if (reports.length === 0) return Promise.resolve([])
    const batch = this.#next
    const from = batch.reports.count
    const end = from + reports.length
    batch.reports.add(reports)
    batch.calls++
    this.#running ??= this.#commitAll()
    return batch.results.then((results) => results.slice(from, end))
  }

  /** Resolves once nothing waits. */
  async ended(): Promise<void> {
    await this.#running
  }

  /** What is reported in the same turn of the event loop goes together. */
  async #commitAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#next.calls > 0) {
      const begun = performance.now()
      const batch = this.#next
      this.#next = new Batch(this.#gatherer(batch.reports))
      await this.#commit(batch)
      if (batch.calls >= crowd) await this.#gather(begun + commitEvery)
    }
    this.#running = undefined
  }

  async #commit({ reports, resolve, reject }: Batch<Gathered>): Promise<void> {
    try {
      resolve(await this.#write(reports.packed()))
    } catch (reason) {
      reject(reason)
    }
  }

  async #gather(until: number): Promise<void> {
    const batch = this.#next
    for (let before = -1; batch.calls > before && performance.now() < until; ) {
      before = batch.calls
      await new Promise((resolve) => setTimeout(resolve, lull))
    }
  }
}
