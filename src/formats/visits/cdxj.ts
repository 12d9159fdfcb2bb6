import { LF, OPEN_BRACE, SPACE } from '../bytes/ascii.js'
import { ByteSlice } from '../bytes/byte-slice.js'
import { endOfLine, isBlankLine } from '../bytes/next-line.js'
import type { ByteWindow, RecordScanner } from '../bytes/record-window.js'
import { type Refusal, refusal } from '../refusal.js'
import { fillCapture } from './capture.js'
import { jsonObject } from './json-object.js'
import type { RecordTaker } from './record-taker.js'

const EXCLAMATION = 0x21

/** CDXJ lines of a web archive: `key timestamp {json}`, the JSON with url, status and digest. */
export class CdxjScanner implements RecordScanner {
  readonly #taker: RecordTaker
  readonly #key = new ByteSlice()
  readonly #at = new ByteSlice()
  readonly #url = new ByteSlice()
  readonly #status = new ByteSlice()
  readonly #digest = new ByteSlice()

  constructor(taker: RecordTaker) {
    this.#taker = taker
  }

  scan(window: ByteWindow): boolean {
    const end = endOfLine(window)
    if (end === -1) return false
    const { bytes, from: start, line } = window
    // Lines that begin with ! tell of the file, not of a page.
    if (!isBlankLine(bytes, { start, end }) && bytes[start] !== EXCLAMATION) {
      const refused = this.#read(bytes, { start, end })
      if (refused === undefined) this.#taker.take(line)
      else this.#taker.refuse(line, refused)
    }
    window.from = end + 1
    window.line++
    return true
  }

  #read(bytes: Uint8Array, { start, end }: { start: number; end: number }): Refusal | undefined {
    const keyEnd = nextSpace(bytes, start)
    const atEnd = nextSpace(bytes, keyEnd + 1)
    if (keyEnd >= end || atEnd >= end || bytes[atEnd + 1] !== OPEN_BRACE) return shape
    this.#key.point(bytes, { start, end: keyEnd })
    this.#at.point(bytes, { start: keyEnd + 1, end: atEnd })
    const found = jsonObject(bytes.subarray(atEnd + 1, end))
    if ('refused' in found) return found.refused
    const { fields } = this.#taker
    fields.clear()
    this.#fill(this.#url, found.object.url)
    this.#fill(this.#status, found.object.status)
    this.#fill(this.#digest, found.object.digest)
    fillCapture(fields, {
      key: this.#key,
      url: this.#url,
      at: this.#at,
      status: this.#status,
      digest: this.#digest,
    })
    return undefined
  }

  #fill(slice: ByteSlice, value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number')
      this.#taker.fields.write(slice, String(value))
    else slice.clear()
  }
}

function nextSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] !== SPACE && bytes[at] !== LF && at < bytes.length) at++
  return at
}

const shape = refusal('bad-cdxj', () => 'a CDXJ line is a key, a 14-digit timestamp and {json}')
