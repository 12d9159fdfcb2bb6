import { CR, SPACE } from '../bytes/ascii.js'
import { ByteSlice } from '../bytes/byte-slice.js'
import { endOfLine, isBlankLine } from '../bytes/next-line.js'
import type { ByteWindow, RecordScanner } from '../bytes/record-window.js'
import { type Refusal, refusal } from '../refusal.js'
import { fillCapture } from './capture.js'
import type { RecordTaker } from './record-taker.js'

/** The order of the common fields where no header says another. */
const usual = ['N', 'b', 'a', 'm', 's', 'k']

/** The fields that tell of a visit, by the letters of a header. */
function newParts() {
  const [N, b, a, s, k] = [0, 1, 2, 3, 4].map(() => new ByteSlice())
  return { N: N!, b: b!, a: a!, s: s!, k: k! }
}

/**
 * CDX lines of a web archive: fields between spaces, in the order of a header
 * such as ` CDX N b a m s k r M S V g`, or in the usual order without one. A
 * later header (files one after the other) counts from there on.
 */
export class CdxScanner implements RecordScanner {
  readonly #taker: RecordTaker
  readonly #parts = newParts()
  /** The part that each column fills, if any. */
  #columns = this.#columnsOf(usual)

  constructor(taker: RecordTaker) {
    this.#taker = taker
  }

  scan(window: ByteWindow): boolean {
    const end = endOfLine(window)
    if (end === -1) return false
    this.#read(window, window.bytes[end - 1] === CR ? end - 1 : end)
    window.from = end + 1
    window.line++
    return true
  }

  #read({ bytes, from: start, line }: ByteWindow, end: number): void {
    if (isBlankLine(bytes, { start, end })) return
    const letters = bytes[start] === SPACE ? cdxHeader(bytes.subarray(start, end)) : undefined
    if (letters !== undefined) this.#columns = this.#columnsOf(letters)
    else {
      const refused = this.#fill(bytes, { start, end })
      if (refused === undefined) this.#taker.take(line)
      else this.#taker.refuse(line, refused)
    }
  }

  #fill(bytes: Uint8Array, line: { start: number; end: number }): Refusal | undefined {
    const found = this.#split(bytes, line)
    if (found < this.#columns.length && found < usual.length)
      return refusal('missing-field', () => `a CDX line has six fields or more; this has ${found}`)
    const { fields } = this.#taker
    fields.clear()
    const { N: key, b: at, a: url, s: status, k: digest } = this.#parts
    fillCapture(fields, { key, url, at, status, digest })
    return undefined
  }

  /** Points the parts at their fields; gives how many fields there are. */
  #split(bytes: Uint8Array, { start, end }: { start: number; end: number }): number {
    const columns = this.#columns
    for (let i = 0; i < columns.length; i++) columns[i]?.clear()
    let count = 0
    for (let from = start; from <= end; count++) {
      let to = from
      while (to < end && bytes[to] !== SPACE) to++
      columns[count]?.point(bytes, { start: from, end: to })
      from = to + 1
    }
    return count
  }

  #columnsOf(letters: readonly string[]): ReadonlyArray<ByteSlice | undefined> {
    const parts: Record<string, ByteSlice> = this.#parts
    for (const part of Object.values(parts)) part.clear()
    return letters.map((letter) => parts[letter])
  }
}

const headerPattern = /^ CDX((?: [A-Za-z])+)\s*$/

/** The letters of a header line, or undefined if the line is none. */
export function cdxHeader(bytes: Uint8Array): readonly string[] | undefined {
  if (bytes[0] !== SPACE || bytes.length > 200) return undefined
  return headerPattern.exec(Buffer.from(bytes).toString('latin1'))?.[1]?.trim().split(' ')
}
