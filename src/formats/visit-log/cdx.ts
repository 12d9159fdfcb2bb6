import { ByteSlice, CR, LF, MINUS, OPEN_BRACE, SPACE, sliceOf } from '../bytes/byte-slice.js'
import {
  type ByteWindow,
  endOfLine,
  isBlankLine,
  type RecordScanner,
} from '../bytes/record-window.js'
import { type Refusal, refusal } from '../problems.js'
import { jsonObject } from './jsonl.js'
import type { RecordTaker, VisitFields } from './visit-fields.js'

/** One capture of a web archive, as CDX and CDXJ tell it. */
interface Capture {
  /** The canonical key (SURT): http, https, www and ports are one page, and files are sorted by it. */
  readonly key: ByteSlice
  readonly url: ByteSlice
  readonly at: ByteSlice
  readonly status: ByteSlice
  readonly digest: ByteSlice
}

const failed = sliceOf('failed')
const unchanged = sliceOf('unchanged')

/**
 * A capture as a visit. Status 2xx, or `-` (a revisit record, which repeats the
 * digest), shows the content; 304 says that it is the same, and the digest of
 * its empty body is never compared; any other status is a failed visit.
 */
function fillCapture(fields: VisitFields, capture: Capture): void {
  fields.key.copyFrom(capture.key)
  fields.url.copyFrom(isDash(capture.url) ? capture.key : capture.url)
  fields.at.copyFrom(capture.at)
  fields.hasDigest = true
  const { bytes, start, length } = capture.status
  if (
    length === 3 &&
    bytes[start] === 0x33 &&
    bytes[start + 2] === 0x34 &&
    bytes[start + 1] === 0x30
  )
    fields.changed.copyFrom(unchanged)
  else if (!isDash(capture.status) && !(length === 3 && bytes[start] === 0x32))
    fields.changed.copyFrom(failed)
  else if (!isDash(capture.digest)) fields.digest.copyFrom(capture.digest)
}

function isDash({ bytes, start, length }: ByteSlice): boolean {
  return length === 0 || (length === 1 && bytes[start] === MINUS)
}

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
