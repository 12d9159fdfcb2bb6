import { joinedBytes } from './joined-arrays.js'

/** What a cell of a row may hold; each may be null. */
export type CellKind = 'number' | 'text' | 'bytes'

/** The cells of a row, in their order. Keys may be those of an object or of an array. */
export type Shape = readonly (readonly [key: string | number, kind: CellKind])[]

/**
 * Rows on their way between threads: all numbers in one array, all texts in
 * one, all bytes in one. As JSON, or as objects that are cloned, they would
 * take longer to carry than to write to the disk.
 */
export interface FlatRows {
  readonly rows: number
  /** Of each row in turn: its numbers, with NaN for null, and the lengths of the rest, with -1. */
  readonly numbers: Float64Array<ArrayBuffer>
  readonly text: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

type Cell = number | string | Uint8Array | null
type Row = { readonly [key: string | number]: Cell }

/** The shape of a row with every field of its type: one that is left out does not compile. */
export function shapeOf<R>(kinds: { readonly [Field in keyof R]: CellKind }): Shape {
  return Object.entries(kinds) as [string, CellKind][]
}

/** What goes over without a copy. */
export function transfers({ numbers, bytes }: FlatRows): ArrayBuffer[] {
  return [numbers.buffer, bytes.buffer]
}

export function packRows(rows: readonly object[], shape: Shape): FlatRows {
  const numbers = new Float64Array(rows.length * shape.length)
  const texts: string[] = []
  const bytes: Uint8Array[] = []
  let at = 0
  for (const row of rows as readonly Row[])
    for (let cell = 0; cell < shape.length; cell++) {
      const value = row[shape[cell]![0]]
      if (typeof value === 'number') numbers[at++] = value
      else if (typeof value === 'string') numbers[at++] = texts[texts.push(value) - 1]!.length
      else if (value === null) numbers[at++] = shape[cell]![1] === 'number' ? Number.NaN : -1
      else numbers[at++] = bytes[bytes.push(value as Uint8Array) - 1]!.length
    }
  return { rows: rows.length, numbers, text: texts.join(''), bytes: joinedBytes(bytes) }
}

/**
 * The rows as they were, each written into what `blank` makes. Texts and bytes
 * are parts of the whole that came: who keeps one for long keeps all of it.
 */
export function unpackRows<R extends object>(
  { rows, numbers, text, bytes }: FlatRows,
  { shape, blank }: { readonly shape: Shape; readonly blank: () => R },
): R[] {
  let [at, textAt, bytesAt] = [0, 0, 0]
  return Array.from({ length: rows }, () => {
    const row = blank() as Record<string | number, Cell>
    for (let cell = 0; cell < shape.length; cell++) {
      const [key, kind] = shape[cell]!
      const number = numbers[at++]!
      if (kind === 'number') row[key] = Number.isNaN(number) ? null : number
      else if (number < 0) row[key] = null
      else if (kind === 'text') {
        row[key] = text.slice(textAt, textAt + number)
        textAt += number
      } else {
        row[key] = bytes.subarray(bytesAt, bytesAt + number)
        bytesAt += number
      }
    }
    return row as R
  })
}
