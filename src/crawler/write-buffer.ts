import { type HostRecord, type Lease, mayReplace } from '../model/lease.js'
import type { Store } from '../model/store.js'
import type { RecordResult, VisitReport } from '../model/visit-record.js'

/** Contents that wait for the disk take no more memory than this. */
const mostBytes = 64 * 1024 * 1024

/** What is kept of a visit once the store has its report. */
export interface SavedVisit extends Pick<VisitReport, 'visit' | 'due'> {
  /** With the page as it was before. */
  readonly lease: Lease
}

interface Parts {
  readonly store: Pick<Store, 'recordVisits'>
  /** Visits that may be unsaved at once. */
  readonly most: number
  /** What became of a visit. */
  readonly onSaved: (saved: SavedVisit, fate: RecordResult) => void
  /** Called after the last of those that were saved together, or after they failed. */
  readonly onRoom: (failure?: unknown) => void
}

/** A visit that ended in this turn of the event loop. */
interface Ended {
  readonly lease: Lease
  readonly report: VisitReport
}

/**
 * Visits made and not yet on the disk: few enough that memory stays bounded
 * however slow it is. Those that end in one turn of the event loop are handed
 * over together, and little is kept of them: there are hundreds at any time,
 * and whatever is kept is moved about by the garbage collector.
 */
export class UnsavedVisits {
  readonly #parts: Parts
  /** The newest record of each host, and how many visits to it are unsaved. */
  readonly #hosts = new Map<string, { record: HostRecord; visits: number }>()
  #ended: Ended[] = []
  #count = 0
  #bytes = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#count
  }

  /** Whether another visit may be begun before these are saved. */
  get hasRoom(): boolean {
    return this.#count < this.#parts.most && this.#bytes < mostBytes
  }

  /** The record of a host as it will be, while a visit to it is unsaved. */
  host(name: string): HostRecord | undefined {
    return this.#hosts.get(name)?.record
  }

  add(lease: Lease, report: VisitReport): void {
    this.#count++
    this.#bytes += bytesOf(report)
    this.#note(report.host)
    if (this.#ended.push({ lease, report }) === 1) queueMicrotask(() => this.#save())
  }

  #save(): void {
    const ended = this.#ended
    this.#ended = []
    const saved = ended.map(({ lease, report: { visit, due } }) => ({ lease, visit, due }))
    const hosts = ended.flatMap(({ report }) => report.host?.host ?? [])
    const bytes = ended.reduce((sum, { report }) => sum + bytesOf(report), 0)
    const finish = () => {
      this.#count -= saved.length
      this.#bytes -= bytes
      for (const host of hosts) this.#forget(host)
    }
    const { store, onSaved, onRoom } = this.#parts
    store.recordVisits(ended.map(({ report }) => report)).then(
      (results) => {
        finish()
        for (const [at, each] of saved.entries()) onSaved(each, results[at]!)
        onRoom()
      },
      (failure: unknown) => {
        finish()
        onRoom(failure)
      },
    )
  }

  /** What a record leaves out stays as it was. */
  #note(record: HostRecord | undefined): void {
    if (record === undefined) return
    const before = this.#hosts.get(record.host)
    const visits = (before?.visits ?? 0) + 1
    const hints = record.hints ?? before?.record.hints
    const newest = before === undefined || mayReplace(record, before.record.fence)
    const latest = newest ? record : before.record
    const whole = hints === undefined ? latest : { ...latest, hints }
    this.#hosts.set(record.host, { record: whole, visits })
  }

  #forget(host: string): void {
    const noted = this.#hosts.get(host)!
    if (--noted.visits === 0) this.#hosts.delete(host)
  }
}

function bytesOf({ content }: VisitReport): number {
  return content?.body.length ?? 0
}
