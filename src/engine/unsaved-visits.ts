import type { HostRecord, VisitReport } from '../model/index.js'

/** Contents that wait for the disk take no more memory than this. */
const mostBytes = 64 * 1024 * 1024

/** Visits made and not yet on the disk: few enough that memory stays bounded however slow it is. */
export class UnsavedVisits {
  readonly #most: number
  /** The newest record of each host, and how many visits to it are unsaved. */
  readonly #hosts = new Map<string, { record: HostRecord; visits: number }>()
  #count = 0
  #bytes = 0

  constructor({ most }: { readonly most: number }) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** Whether another visit may be begun before these are saved. */
  get hasRoom(): boolean {
    return this.#count < this.#most && this.#bytes < mostBytes
  }

  /** The record of a host as it will be, while a visit to it is unsaved. */
  host(name: string): HostRecord | undefined {
    return this.#hosts.get(name)?.record
  }

  /** It is on its way to the disk. */
  add({ content, host }: VisitReport): void {
    this.#count++
    this.#bytes += content?.body.length ?? 0
    this.#note(host)
  }

  /** It is there, or will never be. */
  remove({ content, host }: VisitReport): void {
    this.#count--
    this.#bytes -= content?.body.length ?? 0
    this.#forget(host)
  }

  /** What a record leaves out stays as it was. */
  #note(record: HostRecord | undefined): void {
    if (record === undefined) return
    const before = this.#hosts.get(record.host)
    const visits = (before?.visits ?? 0) + 1
    const hints = record.hints ?? before?.record.hints
    const whole = hints === undefined ? record : { ...record, hints }
    this.#hosts.set(record.host, { record: whole, visits })
  }

  #forget(record: HostRecord | undefined): void {
    const noted = record && this.#hosts.get(record.host)
    if (noted !== undefined && --noted.visits === 0) this.#hosts.delete(noted.record.host)
  }
}
