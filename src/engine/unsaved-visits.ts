import type { ReportFate, Store, VisitReport } from '../model/index.js'

/** Contents that wait for the disk take no more memory than this. */
const mostBytes = 64 * 1024 * 1024

/** Visits made and not yet on the disk: few enough that memory stays bounded however slow it is. */
export class UnsavedVisits {
  readonly #store: Store
  readonly #most: number
  #count = 0
  #bytes = 0

  constructor({ store, most }: { readonly store: Store; readonly most: number }) {
    this.#store = store
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** Whether another visit may be begun before these are saved. */
  get hasRoom(): boolean {
    return this.#count < this.#most && this.#bytes < mostBytes
  }

  /** Resolves once the visit will survive the power going. */
  async save(report: VisitReport): Promise<ReportFate> {
    const bytes = report.content?.body.length ?? 0
    this.#count++
    this.#bytes += bytes
    try {
      const [fate] = await this.#store.recordVisits([report])
      return fate!
    } finally {
      this.#count--
      this.#bytes -= bytes
    }
  }
}
