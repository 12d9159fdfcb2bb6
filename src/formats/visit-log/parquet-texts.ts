import type { ByteSlice } from '../bytes/byte-slice.js'
import { type DuckDbVector, sqlName } from '../duckdb.js'
import type { FileColumn, Selection } from './parquet-columns.js'

/** Bytes of a text's entry in a vector: the length in four; then the text itself if it has at most twelve, else four of it and where it lies. */
const entryBytes = 16
const mostWithin = 12
/** Texts this close to one another are of one block of memory: a block of its own has a longer head. */
const closeBy = 8
/** Bytes taken at once. */
const mostAtOnce = 1 << 20

/**
 * The texts of a column as bytes. Texts of a chunk lie one behind the other in
 * DuckDB's memory, and asking for one costs a microsecond, so that as many as
 * lie together are asked for at once. Rows are taken in their order.
 */
export class TextColumn {
  #vector: DuckDbVector | undefined
  /** The entries; undefined where DuckDB keeps them otherwise than we know. */
  #entries: DataView | undefined
  #within: Uint8Array = new Uint8Array(0)
  /** The bytes from `#start` on, of the rows before `#end`. */
  #bytes: Uint8Array = new Uint8Array(0)
  #start = 0
  #end = 0

  constructor(column: FileColumn, { from }: { from: Selection }) {
    const text = `encode(coalesce(CAST(${sqlName(column.name)} AS VARCHAR), ''))`
    from.add(text, (vector) => this.#begin(vector))
  }

  /** Points the slice at the text of the row; an empty one where there is none. */
  point(row: number, into: ByteSlice): void {
    const entries = this.#entries
    if (entries === undefined) {
      const bytes = this.#bytesOf(row)
      into.point(bytes, { start: 0, end: bytes.length })
      return
    }
    const length = entries.getUint32(entryBytes * row, true)
    if (length <= mostWithin) {
      const start = entryBytes * row + 4
      into.point(this.#within, { start, end: start + length })
      return
    }
    let start = address(entries, row) - this.#start
    if (row >= this.#end || start < 0 || start + length > this.#bytes.length) {
      this.#take(row, entries)
      start = 0
    }
    into.point(this.#bytes, { start, end: start + length })
  }

  #begin(vector: DuckDbVector): void {
    const { dataView } = vector
    this.#vector = vector
    this.#entries = dataView instanceof DataView ? dataView : undefined
    this.#end = 0
    if (this.#entries === undefined) return
    const { buffer, byteOffset, byteLength } = this.#entries
    this.#within = new Uint8Array(buffer, byteOffset, byteLength)
  }

  /** The bytes of a row's text and of those behind it. */
  #take(row: number, entries: DataView): void {
    const rows = entries.byteLength / entryBytes
    const start = address(entries, row)
    const own = entries.getUint32(entryBytes * row, true)
    let end = start + own
    let next = row + 1
    for (; next < rows; next++) {
      const length = entries.getUint32(entryBytes * next, true)
      if (length <= mostWithin) continue
      const at = address(entries, next)
      if (at < end || at - end >= closeBy || at + length - start > mostAtOnce) break
      end = at + length
    }
    this.#start = start
    this.#end = next
    // The entry says for a moment that its text is as long as all of them.
    entries.setUint32(entryBytes * row, end - start, true)
    this.#bytes = this.#bytesOf(row)
    entries.setUint32(entryBytes * row, own, true)
  }

  #bytesOf(row: number): Uint8Array {
    return (this.#vector!.getItem(row) as { readonly bytes: Uint8Array }).bytes
  }
}

/** Where the text of a row lies: 48 bits, which a number holds. */
function address(entries: DataView, row: number): number {
  const at = entryBytes * row + 8
  return entries.getUint32(at, true) + entries.getUint32(at + 4, true) * 2 ** 32
}
