import type { RecordResult, VisitReport } from '../../model/visit-record.js'
import { transfers } from '../flat-rows.js'
import { ReportPacker } from '../report-rows.js'
import type { CalledThread } from './calls.js'
import { PackedLease } from './packed-leases.js'

/** A commit of so many visits is one of a crowd: more will come soon. */
const crowd = 50
/** From the beginning of such a commit to that of the next, in milliseconds, at most. */
const commitEvery = 40
/** Where none comes for so many milliseconds, the crowd is over. */
const lull = 5

/** Visits that will share a commit. */
class Batch {
  readonly reports: ReportPacker
  resolve!: (results: readonly RecordResult[]) => void
  reject!: (reason: unknown) => void
  readonly results = new Promise<readonly RecordResult[]>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor(before?: Batch) {
    this.reports = new ReportPacker(before?.reports)
  }
}

/**
 * Visits reported while the last commit is on its way to the disk share the
 * next one: the slower the disk, the more of them. A commit writes whole blocks
 * of the file, and those that share it share its blocks. So in a crowd the next
 * one waits a little: with 600 visits each costs two thirds of what it does
 * with 150. Few visits wait for nobody.
 */
export class SharedCommits {
  readonly #thread: Pick<CalledThread, 'call'>
  #next = new Batch()
  #running: Promise<void> | undefined

  constructor(thread: Pick<CalledThread, 'call'>) {
    this.#thread = thread
  }

  /** Resolves after the sync; a commit that fails fails for all that shared it. */
  add(reports: readonly VisitReport[]): Promise<readonly RecordResult[]> {
    if (reports.length === 0) return Promise.resolve([])
    const batch = this.#next
    const from = batch.reports.count
    const end = from + reports.length
    batch.reports.add(reports)
    for (const { lease } of reports) if (lease instanceof PackedLease) lease.fold()
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
    while (this.#next.reports.count > 0) {
      const begun = performance.now()
      const batch = this.#next
      this.#next = new Batch(batch)
      await this.#commit(batch)
      if (batch.reports.count >= crowd) await this.#gather(begun + commitEvery)
    }
    this.#running = undefined
  }

  async #commit({ reports, resolve, reject }: Batch): Promise<void> {
    try {
      const packed = reports.packed()
      const call = { method: 'recordVisits', args: [packed] } as const
      resolve(await this.#thread.call<RecordResult[]>(call, transfers(packed.visits)))
    } catch (reason) {
      reject(reason)
    }
  }

  async #gather(until: number): Promise<void> {
    const { reports } = this.#next
    for (let before = -1; reports.count > before && performance.now() < until; ) {
      before = reports.count
      await new Promise((resolve) => setTimeout(resolve, lull))
    }
  }
}
