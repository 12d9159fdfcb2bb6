import type { Outcome, Seconds, UnixSeconds, Visit } from '../../model/index.js'
import { GrowingColumn } from './growing-column.js'

/** What is kept of an outcome: visits that showed nothing are all alike. */
const kept = ['unchanged', 'changed', 'first', 'failed'] as const
const outcomeBits = 2

/**
 * The visits of many pages in columns: 12 bytes a visit (page and outcome in
 * one word, and the time), 8 more where the log has Last-Modified, 8 where it
 * has calm beginnings of gaps, and 4 more while they are sorted by page. Rows are in the order of the log.
 */
export class VisitColumns {
  readonly #pages = new GrowingColumn((length) => new Uint32Array(length))
  readonly #times = new GrowingColumn((length) => new Float64Array(length))
  /** Made at the first Last-Modified; NaN where a visit has none. */
  #lastModified: GrowingColumn<Float64Array> | undefined
  /** The same. */
  #calmFor: GrowingColumn<Float64Array> | undefined

  get length(): number {
    return this.#times.length
  }

  get byteLength(): number {
    const columns = [this.#pages, this.#times, this.#lastModified, this.#calmFor]
    return columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0)
  }

  push(
    page: number,
    visit: {
      outcome: Outcome
      at: UnixSeconds
      lastModified: UnixSeconds | undefined
      calmFor: Seconds | undefined
    },
  ): void {
    this.#pages.push(page * 2 ** outcomeBits + codeOf(visit.outcome))
    this.#times.push(visit.at)
    if (visit.lastModified !== undefined) this.#lastModified ??= this.#untold()
    this.#lastModified?.push(visit.lastModified ?? Number.NaN)
    if (visit.calmFor !== undefined) this.#calmFor ??= this.#untold()
    this.#calmFor?.push(visit.calmFor ?? Number.NaN)
  }

  page(row: number): number {
    return this.#pages.at(row) >>> outcomeBits
  }

  time(row: number): UnixSeconds {
    return this.#times.at(row)
  }

  visit(row: number): Visit {
    const at = this.#times.at(row)
    const outcome = kept[this.#pages.at(row) & 3]!
    const lastModified = this.#lastModified?.at(row) ?? Number.NaN
    const calmFor = this.#calmFor?.at(row) ?? Number.NaN
    const visit = Number.isNaN(lastModified) ? { at, outcome } : { at, outcome, lastModified }
    return Number.isNaN(calmFor) ? visit : { ...visit, calmFor }
  }

  /** A column that the rows before this one had nothing for. */
  #untold(): GrowingColumn<Float64Array> {
    const column = new GrowingColumn((length) => new Float64Array(length))
    while (column.length < this.length - 1) column.push(Number.NaN)
    return column
  }
}

function codeOf(outcome: Outcome): number {
  switch (outcome) {
    case 'unchanged':
      return 0
    case 'changed':
      return 1
    case 'first':
      return 2
    default:
      return 3
  }
}
