import { InputError } from '../../model/index.js'
import { type Chunks, plainBytes } from '../bytes/gunzip.js'
import { quotedText } from '../bytes/shown.js'

/** The fields of a record or an answer, by name in lower case. */
export type Fields = ReadonlyMap<string, string>

export interface WarcRecord {
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
export async function* warcRecords(
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
export function fieldsIn(lines: readonly string[]): Fields {
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
