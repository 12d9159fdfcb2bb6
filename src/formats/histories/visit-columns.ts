import type { Outcome, Visit } from '../../model/history.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'

/** Elements of a chunk, as a power of two. */
const chunkBits = 16
const chunkLength = 1 << chunkBits
const withinChunk = chunkLength - 1

interface Numbers {
  readonly byteLength: number
  [index: number]: number
}

/**
 * A column of numbers that grows by chunks: nothing is ever copied, and at most
 * one chunk is unused. `make` gives the chunk of a type, as in
 * `new GrowingColumn((length) => new Float64Array(length))`.
 */
export class GrowingColumn<Chunk extends Numbers = Numbers> {
  readonly #make: (length: number) => Chunk
  readonly #chunks: Chunk[] = []
  #last: Chunk | undefined
  #length = 0

  constructor(make: (length: number) => Chunk) {
    this.#make = make
  }

  get length(): number {
    return this.#length
  }

  get byteLength(): number {
    return this.#chunks.length * (this.#chunks[0]?.byteLength ?? 0)
  }

  push(value: number): void {
    const within = this.#length & withinChunk
    if (within === 0) {
      this.#last = this.#make(chunkLength)
      this.#chunks.push(this.#last)
    }
    this.#last![within] = value
    this.#length++
  }

  at(index: number): number {
    return this.#chunks[index >>> chunkBits]![index & withinChunk]!
  }

  set(index: number, value: number): void {
    this.#chunks[index >>> chunkBits]![index & withinChunk] = value
  }
}

/** What is kept of an outcome: visits that showed nothing are all alike. */
const kept = ['unchanged', 'changed', 'first', 'failed'] as const
const outcomeBits = 2

/**
 * The visits of many pages in columns: 12 bytes a visit (page and outcome in
 * one word, and the time), 8 more where the log has Last-Modified, 8 where it
 * has unchanged beginnings of gaps, and 4 more while they are sorted by page. Rows are in the order of the log.
 */
export class VisitColumns {
  readonly #pages = new GrowingColumn((length) => new Uint32Array(length))
  readonly #times = new GrowingColumn((length) => new Float64Array(length))
  /** Made at the first Last-Modified; NaN where a visit has none. */
  #lastModified: GrowingColumn<Float64Array> | undefined
  /** The same. */
  #unchangedFor: GrowingColumn<Float64Array> | undefined

  get length(): number {
    return this.#times.length
  }

  get byteLength(): number {
    const columns = [this.#pages, this.#times, this.#lastModified, this.#unchangedFor]
    return columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0)
  }

  push(
    page: number,
    visit: {
      outcome: Outcome
      at: UnixSeconds
      lastModified: UnixSeconds | undefined
      unchangedFor: Seconds | undefined
    },
  ): void {
    this.#pages.push(page * 2 ** outcomeBits + codeOf(visit.outcome))
    this.#times.push(visit.at)
    if (visit.lastModified !== undefined) this.#lastModified ??= this.#unset()
    this.#lastModified?.push(visit.lastModified ?? Number.NaN)
    if (visit.unchangedFor !== undefined) this.#unchangedFor ??= this.#unset()
    this.#unchangedFor?.push(visit.unchangedFor ?? Number.NaN)
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
    const unchangedFor = this.#unchangedFor?.at(row) ?? Number.NaN
    const visit = Number.isNaN(lastModified) ? { at, outcome } : { at, outcome, lastModified }
    return Number.isNaN(unchangedFor) ? visit : { ...visit, unchangedFor }
  }

  /** A column that the rows before this one had nothing for. */
  #unset(): GrowingColumn<Float64Array> {
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

/** The rows of each page: those of page p are `order[offsets[p]]` to `order[offsets[p + 1] - 1]`. */
export interface RowsByPage {
  readonly order: Uint32Array
  readonly offsets: Uint32Array
}

/** Groups rows by page, in the order of the log within each, by counting. O(rows + pages). */
export function rowsByPage(columns: VisitColumns, { pages }: { pages: number }): RowsByPage {
  const offsets = new Uint32Array(pages + 1)
  for (let row = 0; row < columns.length; row++) offsets[columns.page(row) + 1]!++
  for (let page = 0; page < pages; page++) offsets[page + 1]! += offsets[page]!
  const next = offsets.slice()
  const order = new Uint32Array(columns.length)
  for (let row = 0; row < columns.length; row++) {
    const page = columns.page(row)
    order[next[page]!] = row
    next[page]!++
  }
  return { order, offsets }
}
