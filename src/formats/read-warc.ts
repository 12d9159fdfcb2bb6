import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { InputError } from '../model/errors.js'
import { type Chunks, plainBytes } from './bytes/gunzip.js'
import { quotedText } from './printable-text.js'
import { looseDate } from './time/web-dates.js'
import type { Capture } from './write-warc.js'

/** The fields of a record or an answer, by name in lower case. */
type Fields = ReadonlyMap<string, string>

interface WarcRecord {
  readonly fields: Fields
  /** What the record holds; null where it was passed over. */
  readonly block: Buffer | null
}

/**
 * The records of a WARC file, packed or not; the block of those that are not
 * wanted is passed over. Throws where the file is no WARC, such as an ARC file,
 * and where it ends within a record, after the records before it. The length
 * that a record says it has is all that tells where it ends. ISO 28500, 4. O(n).
 */
async function* warcRecords(
  chunks: Chunks,
  wants: (fields: Fields, length: number) => boolean,
): AsyncGenerator<WarcRecord> {
  const input = new ByteInput(plainBytes(chunks))
  try {
    for (let first = true; ; first = false) {
      const start = await input.line()
      if (start === null) return
      if (start === '') continue
      if (!start.startsWith('WARC/')) throw badStart(start, first)
      const fields = await fieldsOf(input)
      const length = lengthOf(fields)
      const block = wants(fields, length) ? await input.take(length) : await input.skip(length)
      yield { fields, block }
    }
  } finally {
    await input.close()
  }
}

function badStart(start: string, first: boolean): InputError {
  if ('WARC/'.startsWith(start)) return cutShort
  if (!first)
    return new InputError(
      'bad-record',
      `${quotedText(start)} stands where a record begins with WARC/; the one before it has another length than it says`,
    )
  return start.startsWith('filedesc:')
    ? new InputError('arc-file', 'this is an ARC file, the format before WARC; turn it into WARC')
    : new InputError('no-warc', 'this is no WARC file: such a file begins with WARC/')
}

async function fieldsOf(input: ByteInput): Promise<Fields> {
  const lines: string[] = []
  for (;;) {
    const line = await input.line()
    if (line === null) throw cutShort
    if (line === '') return fieldsIn(lines)
    if (lines.length === mostFields)
      throw new InputError('bad-record', `a record has more than ${mostFields} fields`)
    lines.push(line)
  }
}

/** Lines of fields by name; a line that begins with a space goes on with the one before it. */
function fieldsIn(lines: readonly string[]): Fields {
  const fields = new Map<string, string>()
  let last = ''
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line)) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`)
    else if (colon > 0) {
      last = line.slice(0, colon).trim().toLowerCase()
      const before = fields.get(last)
      const value = line.slice(colon + 1).trim()
      fields.set(last, before === undefined ? value : `${before}, ${value}`)
    }
  }
  return fields
}

function lengthOf(fields: Fields): number {
  const text = fields.get('content-length') ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InputError('bad-record', `a record says its length is ${quotedText(text)}`)
}

const mostFields = 1000
const longestLine = 1 << 18
const cutShort = new InputError('cut-short', 'the file ends within a record; it was cut short')

/** Bytes taken line by line or by number, wherever the chunks are cut. */
class ByteInput {
  readonly #source: AsyncIterator<Uint8Array>
  #buffer: Uint8Array = new Uint8Array(0)
  #at = 0

  constructor(chunks: Chunks) {
    this.#source = chunks[Symbol.asyncIterator]()
  }

  /** The next line without its end; null where there is nothing more. */
  async line(): Promise<string | null> {
    const parts: Uint8Array[] = []
    for (let size = 0; size <= longestLine; ) {
      const end = this.#buffer.indexOf(10, this.#at)
      const part = this.#upTo(end === -1 ? this.#buffer.length : end + 1)
      parts.push(part)
      size += part.length
      const more = end === -1 && (await this.#more())
      if (more) continue
      const text = Buffer.concat(parts).toString('utf8')
      return text === '' ? null : text.replace(/\r?\n?$/, '')
    }
    throw new InputError('bad-record', `a line of a record is longer than ${longestLine} bytes`)
  }

  async take(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    await this.#each(length, (part) => parts.push(part))
    return Buffer.concat(parts)
  }

  async skip(length: number): Promise<null> {
    await this.#each(length, () => {})
    return null
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #each(length: number, take: (part: Uint8Array) => void): Promise<void> {
    for (let missing = length; missing > 0; ) {
      const part = this.#upTo(Math.min(this.#buffer.length, this.#at + missing))
      take(part)
      missing -= part.length
      if (missing > 0 && !(await this.#more())) throw cutShort
    }
  }

  #upTo(end: number): Uint8Array {
    const part = this.#buffer.subarray(this.#at, end)
    this.#at = end
    return part
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next()
    if (next.done === true) return false
    this.#buffer = next.value
    this.#at = 0
    return true
  }
}

interface HttpAnswer {
  readonly status: number
  readonly headers: Fields
  /** Without its packing, unless that is one we cannot undo. */
  readonly body: Uint8Array
}

/**
 * An answer of a server as it was sent: status line, headers, and a body that
 * may be chunked and packed. A body that cannot be unpacked, or not to less than
 * `largest` bytes, stays as it is. RFC 9112, 2.1 and 7.1.
 */
function httpAnswer(block: Buffer, { largest }: { readonly largest: number }): HttpAnswer {
  const [end, length] = headEnd(block)
  const [start = '', ...lines] = block.toString('latin1', 0, end).split(/\r?\n/)
  const headers = fieldsIn(lines)
  const status = Number(/^HTTP\/[\d.]+ +(\d{3})(?: |$)/i.exec(start)?.[1] ?? 0)
  const sent = block.subarray(end + length)
  const chunked = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')
  const whole = chunked ? (withoutChunks(sent) ?? sent) : sent
  const body = unpacked(whole, { coding: headers.get('content-encoding') ?? '', largest })
  return { status, headers, body }
}

/** Where the empty line after the headers begins, and how long it is with the line end before it. */
function headEnd(block: Buffer): readonly [end: number, length: number] {
  const end = block.indexOf('\r\n\r\n')
  if (end !== -1) return [end, 4]
  const bare = block.indexOf('\n\n')
  return bare === -1 ? [block.length, 0] : [bare, 2]
}

/** Null where it is not chunked after all: some archives keep it unpacked and the header as it was. */
function withoutChunks(body: Buffer): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const size = end === -1 || end - at > 100 ? undefined : sizeIn(body.toString('latin1', at, end))
    if (size === undefined) return null
    if (size === 0) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}

function sizeIn(line: string): number | undefined {
  const digits = /^([\da-f]{1,8})\s*(?:;|$)/i.exec(line)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

function unpacked(body: Buffer, { coding, largest }: { coding: string; largest: number }): Buffer {
  const layers = coding.toLowerCase().split(',').slice(0, 3)
  let current = body
  try {
    for (const layer of layers.reverse()) current = unpackedOnce(current, layer.trim(), largest)
    return current
  } catch {
    return body
  }
}

function unpackedOnce(body: Buffer, layer: string, maxOutputLength: number): Buffer {
  if (body.length === 0) return body
  if (layer === 'gzip' || layer === 'x-gzip') return gunzipSync(body, { maxOutputLength })
  if (layer === 'br') return brotliDecompressSync(body, { maxOutputLength })
  if (layer !== 'deflate') return body
  // Servers send deflate with the wrapper that RFC 9110 asks for, and without.
  const inflate = (body[0]! & 0x0f) === 8 ? inflateSync : inflateRawSync
  return inflate(body, { maxOutputLength })
}

/** A capture with the digest that its archive gave it; null where it gave none. */
export interface ArchivedCapture extends Capture {
  readonly digest: string | null
}

/**
 * Reads the responses and revisits of a WARC file, packed or not, in order;
 * other records are passed over. A body larger than `largestBody` is refused by
 * skipping its record. Throws where the file is no WARC, such as an ARC file,
 * and where it ends within a record, after the captures before it.
 */
export async function* readWarc(
  chunks: Chunks,
  { largestBody = 64 * 1024 * 1024 }: { readonly largestBody?: number } = {},
): AsyncGenerator<ArchivedCapture> {
  const wants = (fields: Fields, length: number) =>
    /^(?:response|revisit)$/i.test(fields.get('warc-type') ?? '') && length <= largestBody
  for await (const { fields, block } of warcRecords(chunks, wants))
    if (block !== null) yield captureOf(fields, block, largestBody)
}

function captureOf(fields: Fields, block: Buffer, largest: number): ArchivedCapture {
  const revisit = revisitOf(fields)
  const { status, headers, body } = httpAnswer(block, { largest })
  return {
    url: address(fields, 'warc-target-uri'),
    at: looseDate(fields.get('warc-date') ?? ''),
    status,
    headers: Object.fromEntries(headers),
    body: revisit === undefined ? new Uint8Array(body) : null,
    ...(revisit === undefined ? {} : { revisit }),
    digest: fields.get('warc-payload-digest') ?? null,
  }
}

/** WARC 1.0 put addresses in angle brackets. */
function address(fields: Fields, name: string): string {
  return (fields.get(name) ?? '').replace(/^<(.*)>$/, '$1')
}

function revisitOf(fields: Fields): Capture['revisit'] {
  if (!/^revisit$/i.test(fields.get('warc-type') ?? '')) return undefined
  return {
    of: {
      url: address(fields, 'warc-refers-to-target-uri'),
      at: looseDate(fields.get('warc-refers-to-date') ?? ''),
      digest: fields.get('warc-payload-digest') ?? '',
    },
    because: becauseOf(fields.get('warc-profile') ?? ''),
  }
}

function becauseOf(profile: string): NonNullable<Capture['revisit']>['because'] {
  if (/not-modified/.test(profile)) return 'not-modified'
  return /same-visible-text/.test(profile) ? 'same-text' : 'same-content'
}
