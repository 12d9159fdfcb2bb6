import { type Problems, refusal } from '../problems.js'
import { isBlank, LF } from './byte-slice.js'

/** A record may be this long; a longer one is malformed, not a reason to run out of memory. */
export const longestRecord = 1 << 20
/** Bytes taken in at a time. */
const piece = 1 << 20

/**
 * The bytes at hand: `[from, to)` are not yet read; `line` is the number of the
 * line at `from`. The byte at `to` is a line end that is not in the input, so
 * that a search for one needs no other limit.
 */
export interface ByteWindow {
  readonly bytes: Uint8Array
  from: number
  to: number
  line: number
}

/** Takes records one by one out of a window. */
export interface RecordScanner {
  /**
   * Takes the record at `window.from` and moves `from` and `line` past it.
   * False, with the window as it was, if the record does not end before `to`
   * or is longer than `longestRecord`.
   */
  scan(window: ByteWindow): boolean
}

/**
 * Cuts a stream of chunks into records wherever the chunks are cut, in one
 * buffer of fixed size. A record that is too long is reported, and reading goes
 * on at the line after the one where it began, so that one stray quote costs
 * one line. Every byte is copied once.
 */
export class RecordWindow {
  readonly #window: ByteWindow = {
    // Two bytes more: the line end that a last line may lack, and the one after `to`.
    bytes: new Uint8Array(longestRecord + piece + 2),
    from: 0,
    to: 0,
    line: 1,
  }
  #skippingLine = false
  readonly #scanner: RecordScanner
  readonly #problems: Problems

  constructor(scanner: RecordScanner, problems: Problems) {
    this.#scanner = scanner
    this.#problems = problems
  }

  /** The number of the line at which reading stands. */
  get line(): number {
    return this.#window.line
  }

  push(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length; start += piece) {
      this.#append(chunk.subarray(start, start + piece))
      this.#drain({ ended: false })
    }
  }

  /** The input is over: what is left is the last record. */
  end(): void {
    const { bytes, to, from } = this.#window
    if (to > from && bytes[to - 1] !== LF) this.#append(lineEnd)
    this.#drain({ ended: true })
  }

  #append(chunk: Uint8Array): void {
    const window = this.#window
    if (window.to + chunk.length >= window.bytes.length) {
      window.bytes.copyWithin(0, window.from, window.to)
      window.to -= window.from
      window.from = 0
    }
    window.bytes.set(chunk, window.to)
    window.to += chunk.length
    window.bytes[window.to] = LF
  }

  #drain({ ended }: { ended: boolean }): void {
    const window = this.#window
    while (window.from < window.to) {
      if (this.#skippingLine) this.#skipLine()
      else if (!this.#scanner.scan(window)) {
        if (!ended && window.to - window.from <= longestRecord) return
        this.#giveUp()
      }
    }
  }

  /** A record that ends nowhere near: either its line is too long, or a quote in it is not closed. */
  #giveUp(): void {
    const { bytes, from, to, line } = this.#window
    const firstEnd = bytes.subarray(from, Math.min(to, from + longestRecord + 1)).indexOf(LF)
    if (firstEnd === -1) this.#problems.add(line, tooLong)
    else this.#problems.add(line, unclosed)
    this.#skipLine()
  }

  #skipLine(): void {
    const window = this.#window
    const end = window.bytes.subarray(window.from, window.to).indexOf(LF)
    this.#skippingLine = end === -1
    if (end === -1) window.from = window.to
    else {
      window.from += end + 1
      window.line++
    }
  }
}

const lineEnd = Uint8Array.of(LF)
const tooLong = refusal('line-too-long', () => 'the line is longer than 1 MB')
const unclosed = refusal(
  'unclosed-quote',
  () => 'a quote (") is opened and not closed within 1 MB; double the quotes inside a field',
)

/** Where the line at `window.from` ends (its line end excluded), or -1 if that is not at hand. */
export function endOfLine({ bytes, from, to }: ByteWindow): number {
  let end = from
  while (bytes[end] !== LF) end++
  return end === to || end - from > longestRecord ? -1 : end
}

/** Whether there is nothing but blanks. */
export function isBlankLine(bytes: Uint8Array, line: { start: number; end: number }): boolean {
  for (let i = line.start; i < line.end; i++) if (!isBlank(bytes[i])) return false
  return true
}
