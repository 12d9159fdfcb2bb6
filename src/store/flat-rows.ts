import { type Cell, type Columns, type ColumnType, numbersIn, type RowArray } from './schema.js'

/**
 * Rows on their way between threads: all numbers in one array, all texts in
 * one, all bytes in one. As JSON, or as objects that are cloned, they would
 * take longer to carry than to write to the disk; and while they wait, the
 * garbage collector has nothing of them to move.
 */
export interface FlatRows {
  readonly rows: number
  /** Cells in a row. */
  readonly cells: number
  /**
   * Of each row in turn: where its texts, bytes and lists begin; then its
   * numbers, with NaN for null, and the lengths of the rest, with -1.
   */
  readonly numbers: Float64Array<ArrayBuffer>
  readonly text: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The numbers of cells that hold many. */
  readonly lists: Float64Array<ArrayBuffer>
}

/** Numbers in front of a row's cells. */
const head = 3

/** What goes over without a copy. */
export function transfers({ numbers, bytes, lists }: FlatRows): ArrayBuffer[] {
  return [numbers.buffer, bytes.buffer, lists.buffer]
}

/** How much there will be, as far as it is known. */
export interface Room {
  readonly rows: number
  readonly bytes: number
  readonly listed: number
}

const noRoom: Room = { rows: 0, bytes: 0, listed: 0 }

/** Packs rows cell by cell, as they come: nothing else of them needs to be kept. */
export class RowPacker {
  readonly #cells: number
  #numbers: Float64Array<ArrayBuffer>
  #bytes: Uint8Array<ArrayBuffer>
  #lists: Float64Array<ArrayBuffer>
  readonly #texts: string[] = []
  #at = 0
  #textAt = 0
  #bytesAt = 0
  #listsAt = 0
  #rows = 0

  constructor(cells: number, { rows, bytes, listed }: Room = noRoom) {
    this.#cells = cells
    this.#numbers = new Float64Array((cells + head) * Math.max(16, rows))
    this.#bytes = new Uint8Array(Math.max(1024, bytes))
    this.#lists = new Float64Array(Math.max(128, listed))
  }

  get rows(): number {
    return this.#rows
  }

  /** As much as came. */
  get room(): Room {
    return { rows: this.#rows, bytes: this.#bytesAt, listed: this.#listsAt }
  }

  /** The next row: its cells follow in their order, all of them, and `end`. One without its end is none. */
  begin(): void {
    this.#at = this.#rows * (this.#cells + head)
    const end = this.#at + this.#cells + head
    if (end > this.#numbers.length) this.#numbers = wider(this.#numbers, end)
    this.#numbers[this.#at++] = this.#textAt
    this.#numbers[this.#at++] = this.#bytesAt
    this.#numbers[this.#at++] = this.#listsAt
  }

  end(): void {
    this.#rows++
  }

  /** Takes rows back that were packed since there were so many. */
  backTo(rows: number): void {
    this.#rows = rows
  }

  number(value: number | null): void {
    this.#numbers[this.#at++] = value ?? Number.NaN
  }

  text(value: string | null): void {
    this.#numbers[this.#at++] = value?.length ?? -1
    if (value === null || value === '') return
    this.#texts.push(value)
    this.#textAt += value.length
  }

  bytes(value: Uint8Array | null): void {
    this.#numbers[this.#at++] = value?.length ?? -1
    if (value === null) return
    const end = this.#bytesAt + value.length
    if (end > this.#bytes.length) this.#bytes = wider(this.#bytes, end)
    this.#bytes.set(value, this.#bytesAt)
    this.#bytesAt = end
  }

  list(value: Float64Array | null): void {
    this.#numbers[this.#at++] = value?.length ?? -1
    if (value === null) return
    const end = this.#listsAt + value.length
    if (end > this.#lists.length) this.#lists = wider(this.#lists, end)
    const lists = this.#lists
    for (let at = this.#listsAt, from = 0; at < end; ) lists[at++] = value[from++]!
    this.#listsAt = end
  }

  /** Cells of columns, in their order. */
  row(columns: Columns, cells: readonly Cell[]): void {
    for (let place = 0; place < columns.length; place++) {
      const value = cells[place]!
      if (typeof value === 'number') this.number(value)
      else if (typeof value === 'string') this.text(value)
      else {
        const type = columns[place]![1]
        if (value === null) this.#numbers[this.#at++] = isNumber(type) ? Number.NaN : -1
        else if (type === 'numbers?') this.list(numbersIn(value))
        else this.bytes(value as Uint8Array)
      }
    }
  }

  /** All rows. None can be added after it. */
  packed(): FlatRows {
    const text = this.#texts.join('')
    const [rows, cells] = [this.#rows, this.#cells]
    return { rows, cells, numbers: this.#numbers, text, bytes: this.#bytes, lists: this.#lists }
  }
}

function isNumber(type: ColumnType): boolean {
  return type === 'real?' || type === 'integer?'
}

/** The same with room up to `end`, and for as much again as there was. */
function wider<A extends Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
  array: A,
  end: number,
): A {
  const Kind = array.constructor as new (length: number) => A
  const more = new Kind(Math.max(end, 2 * array.length))
  more.set(array)
  return more
}

/**
 * Reads the cells of a row in the order they were packed. Texts, bytes and
 * lists are parts of the whole that came: who keeps one for long keeps all.
 */
export class RowReader {
  readonly #rows: FlatRows
  #at: number
  #textAt: number
  #bytesAt: number
  #listsAt: number

  constructor(rows: FlatRows, index: number) {
    const { numbers, cells } = rows
    this.#rows = rows
    this.#at = index * (cells + head)
    this.#textAt = numbers[this.#at++]!
    this.#bytesAt = numbers[this.#at++]!
    this.#listsAt = numbers[this.#at++]!
  }

  /** A number that is never null. */
  number(): number {
    return this.#rows.numbers[this.#at++]!
  }

  numberOrNull(): number | null {
    const value = this.number()
    return Number.isNaN(value) ? null : value
  }

  /** A text that is never null. */
  text(): string {
    const from = this.#textAt
    this.#textAt += this.number()
    return this.#rows.text.slice(from, this.#textAt)
  }

  textOrNull(): string | null {
    if (this.#rows.numbers[this.#at]! >= 0) return this.text()
    this.#at++
    return null
  }

  bytesOrNull(): Uint8Array | null {
    const length = this.number()
    if (length < 0) return null
    const from = this.#bytesAt
    this.#bytesAt += length
    return this.#rows.bytes.subarray(from, this.#bytesAt)
  }

  listOrNull(): Float64Array | null {
    const length = this.number()
    if (length < 0) return null
    const from = this.#listsAt
    this.#listsAt += length
    return this.#rows.lists.subarray(from, this.#listsAt)
  }

  /** Cells of columns, in their order. */
  row<C extends Columns>(columns: C): RowArray<C> {
    const cells = new Array<Cell>(columns.length)
    for (let place = 0; place < columns.length; place++)
      cells[place] = this.#cell(columns[place]![1])
    return cells as unknown as RowArray<C>
  }

  #cell(type: ColumnType): Cell {
    switch (type) {
      case 'integer':
      case 'real':
        return this.number()
      case 'integer?':
      case 'real?':
        return this.numberOrNull()
      case 'text':
        return this.text()
      case 'text?':
        return this.textOrNull()
      case 'blob':
      case 'blob?':
        return this.bytesOrNull()
      default:
        return this.listOrNull()
    }
  }
}

/** One cell that holds a number. */
export function numberAt({ numbers, cells }: FlatRows, row: number, cell: number): number {
  return numbers[row * (cells + head) + head + cell]!
}
