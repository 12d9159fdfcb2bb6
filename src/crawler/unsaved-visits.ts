import { type HostRecord, type Lease, newerHost } from '../model/lease.js'
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
  /** Called after it was saved, or after that failed. */
  readonly onRoom: (failure?: unknown) => void
}

/**
 * Visits made and not yet on the disk: few enough that memory stays bounded
 * however slow it is. The store's write buffer gathers those that end together;
 * little is kept of them here: there are hundreds at any time, and whatever is
 * kept is moved about by the garbage collector.
 */
export class UnsavedVisits {
  readonly #parts: Parts
  /** The newest record of each host, and how many visits to it are unsaved. */
  readonly #hosts = new Map<string, { record: HostRecord; visits: number }>()
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
    const { visit, due } = report
    const host = report.host?.host
    const bytes = report.content?.body.length ?? 0
    this.#count++
    this.#bytes += bytes
    this.#note(report.host)
    const finish = () => {
      this.#count--
      this.#bytes -= bytes
      if (host !== undefined) this.#forget(host)
    }
    const { store, onSaved, onRoom } = this.#parts
    store.recordVisits([report]).then(
      ([fate]) => {
        finish()
        onSaved({ lease, visit, due }, fate!)
        onRoom()
      },
      (failure: unknown) => {
        finish()
        onRoom(failure)
      },
    )
  }

  #note(record: HostRecord | undefined): void {
    if (record === undefined) return
    const before = this.#hosts.get(record.host)
    const visits = (before?.visits ?? 0) + 1
    this.#hosts.set(record.host, { record: newerHost(before?.record, record), visits })
  }

  #forget(host: string): void {
    const noted = this.#hosts.get(host)!
    if (--noted.visits === 0) this.#hosts.delete(host)
  }
}
