import { InputError } from '../../model/errors.js'
import { COMMA, CR, LF, QUOTE } from '../bytes/byte-slice.js'
import {
  type ByteWindow,
  isBlankLine,
  longestRecord,
  type RecordScanner,
} from '../bytes/record-window.js'
import { quotedText } from '../printable-text.js'
import { type Refusal, refusal } from '../problems.js'
import { fieldNames, formerNames, type RecordTaker, type VisitFields } from './visit-fields.js'

/**
 * Which field of a visit each column of a CSV fills: an index into
 * `fieldNames`, or -1 for a column that is of no use here. Throws if a column
 * that every log needs is missing, or if one is there twice.
 */
export function csvHeader(header: readonly string[], line: number): readonly number[] {
  const given = header.map((name) => name.trim().toLowerCase())
  const names = given.map((name) => formerNames[name] ?? name)
  const columns = names.map((name) => (fieldNames as readonly string[]).indexOf(name))
  const has = (name: string) => names.includes(name)
  const missing = ['url', 'at'].filter((name) => !has(name))
  if (!has('changed') && !has('digest')) missing.push('changed (or digest)')
  if (missing.length > 0) throw missingColumn({ missing, names, line })
  for (const name of fieldNames) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue
    throw new InputError('double-column', `the column ${name} is there twice; rename one`, { line })
  }
  return columns
}

function missingColumn(about: {
  missing: readonly string[]
  names: readonly string[]
  line: number
}): InputError {
  const found = about.names.slice(0, 12).map(quotedText).join(', ')
  return new InputError(
    'missing-column',
    `the header lacks ${about.missing.join(' and ')}; it has ${found}. A log begins with a line such as url,at,changed`,
    { line: about.line },
  )
}

const decoder = new TextDecoder()

/**
 * CSV with a header, as RFC 4180 quotes it, with line ends of either kind. One
 * pass over the bytes; only quoted fields with quotes inside are copied.
 */
export class CsvScanner implements RecordScanner {
  readonly #taker: RecordTaker
  readonly #fields: VisitFields
  /** Which field each column fills, -1 for none; null until the header was read. */
  #columns: readonly number[] | null = null
  #header: string[] = []
  #hasDigest = false

  /** Where the record being read stands, so that no record makes an object. */
  #at = 0
  #column = 0
  #lines = 0
  #badQuote = false

  constructor(taker: RecordTaker) {
    this.#taker = taker
    this.#fields = taker.fields
  }

  scan(window: ByteWindow): boolean {
    this.#fields.clear()
    if (this.#columns === null) this.#header = []
    this.#at = window.from
    this.#column = 0
    this.#lines = 0
    this.#badQuote = false
    if (!this.#readFields(window)) return false
    if (this.#at - window.from > longestRecord + 1) return false
    const { line, from: start } = window
    if (this.#column > 1 || !isBlankLine(window.bytes, { start, end: this.#at - 1 }))
      this.#take(line)
    window.from = this.#at
    window.line += this.#lines
    return true
  }

  /** Reads fields up to the end of the record; false if it is not at hand. */
  #readFields(window: ByteWindow): boolean {
    const { bytes, to } = window
    let at = this.#at
    for (;;) {
      const start = at
      if (bytes[at] === QUOTE) {
        this.#at = at
        if (!this.#readQuoted(window)) return false
        at = this.#at
      } else {
        at = endOfField(bytes, start)
        if (at >= to) return false
        this.#mark(bytes, { start, end: at })
      }
      if (bytes[at++] === LF) return this.#ended(at)
    }
  }

  #ended(next: number): boolean {
    this.#at = next
    this.#lines++
    return true
  }

  /** A field in quotes, from `#at`, which then stands on the comma or line end after it. */
  #readQuoted({ bytes, to }: ByteWindow): boolean {
    const start = this.#at + 1
    let at = start
    let escaped = false
    let lines = 0
    for (; ; at++) {
      if (at >= to - 1) return false
      const byte = bytes[at]
      if (byte === LF) lines++
      if (byte !== QUOTE) continue
      if (bytes[at + 1] !== QUOTE) break
      escaped = true
      at++
    }
    this.#lines += lines
    this.#markQuoted(bytes, { start, end: at, escaped })
    return this.#afterQuote(bytes, { at: at + 1, to })
  }

  /** Only a carriage return may stand between a closing quote and the end of the field. */
  #afterQuote(bytes: Uint8Array, { at, to }: { at: number; to: number }): boolean {
    let next = at
    while (next < to && bytes[next] !== COMMA && bytes[next] !== LF) {
      if (bytes[next] !== CR) this.#badQuote = true
      next++
    }
    this.#at = next
    return next < to
  }

  #mark(bytes: Uint8Array, part: { start: number; end: number }): void {
    const column = this.#column++
    if (this.#columns === null) {
      this.#header.push(decoder.decode(bytes.subarray(part.start, part.end)))
      return
    }
    const field = this.#columns[column] ?? -1
    if (field >= 0) this.#fields.slices[field]!.point(bytes, part)
  }

  #markQuoted(bytes: Uint8Array, part: { start: number; end: number; escaped: boolean }): void {
    if (!part.escaped) {
      this.#mark(bytes, part)
      return
    }
    const text = decoder.decode(bytes.subarray(part.start, part.end)).replaceAll('""', '"')
    const column = this.#column++
    if (this.#columns === null) this.#header.push(text)
    else if ((this.#columns[column] ?? -1) >= 0)
      this.#fields.write(this.#fields.slices[this.#columns[column]!]!, text)
  }

  #take(line: number): void {
    if (this.#columns === null) {
      this.#columns = csvHeader(this.#header, line)
      this.#hasDigest = this.#columns.includes(digestField)
      return
    }
    const refused = this.#shape(this.#columns.length)
    this.#fields.hasDigest = this.#hasDigest
    if (refused === undefined) this.#taker.take(line)
    else this.#taker.refuse(line, refused)
  }

  #shape(expected: number): Refusal | undefined {
    if (this.#badQuote) return badQuote
    const found = this.#column
    if (found === expected) return undefined
    if (found < expected)
      return refusal(
        'missing-field',
        () => `the header has ${expected} fields, this line ${found}; it may have been cut short`,
      )
    return refusal(
      'extra-field',
      () =>
        `the header has ${expected} fields, this line ${found}; put a field that holds a comma in quotes`,
    )
  }
}

/**
 * Where an unquoted field ends; the line end after the window stops it. Most
 * bytes of a log lie above the comma, so that one comparison passes them.
 */
function endOfField(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    while (bytes[at]! > COMMA) at++
    const byte = bytes[at]
    if (byte === COMMA || byte === LF) return at
    at++
  }
}

const digestField = fieldNames.indexOf('digest')
const badQuote = refusal(
  'bad-quote',
  () => 'there is text after a closing quote ("); double the quotes inside a field',
)
