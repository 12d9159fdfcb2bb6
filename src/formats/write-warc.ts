import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { gzipSync } from 'node:zlib'
import { humanTime } from '../model/duration.js'
import type { UnixSeconds } from '../model/units.js'

/** A copy that a later visit found again, as an archive names it. */
export interface EarlierCapture {
  readonly url: string
  readonly at: UnixSeconds
  /** As in WARC-Payload-Digest. */
  readonly digest: string
}

/** One answer of a server as an archive keeps it. */
export interface Capture {
  readonly url: string
  readonly at: UnixSeconds
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The content without its packing; null in a revisit. */
  readonly body: Uint8Array | null
  /** Why there is no body: the server said so, the content was the same, or the text in it was. */
  readonly revisit?: {
    readonly of: EarlierCapture
    readonly because: 'not-modified' | 'same-content' | 'same-text'
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The digest that archives know a content by: SHA-1 in base 32, 32 letters. */
export function payloadDigest(body: Uint8Array): string {
  const bits = [...createHash('sha1').update(body).digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const letters = bits.match(/.{5}/g)!.map((five) => alphabet[Number.parseInt(five, 2)])
  return `sha1:${letters.join('')}`
}

/** Headers that say how the content was packed on its way; it is kept unpacked. */
const packing = new Set(['content-encoding', 'transfer-encoding', 'content-length'])

/** The answer as HTTP writes it. The packing that is gone stands under other names. */
function httpBlock({ status, headers, body }: Capture): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => {
    const kept = packing.has(name.toLowerCase()) ? `x-archive-orig-${name}` : name
    return `${kept}: ${value.replace(/[\r\n\0]+/g, ' ')}`
  })
  if (body !== null) lines.push(`content-length: ${body.length}`)
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const head = Buffer.from(`${[start, ...lines].join('\r\n')}\r\n\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}

const profiles = {
  'not-modified': 'http://netpreserve.org/warc/1.1/revisit/server-not-modified',
  'same-content': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  // The standard has none for a page whose text was found the same though its bytes may differ.
  'same-text': 'urn:revisit:warc-profile:same-visible-text',
} as const

interface WarcOptions {
  readonly software: string
  readonly at: UnixSeconds
  /** Packs each record; yes by default. */
  readonly gzip?: boolean
}

/**
 * Writes captures as a WARC 1.1 file: a warcinfo record, then a response or a
 * revisit record each, piece by piece; by default every record is its own gzip
 * member, so that readers can jump to it. The output depends on the input
 * alone. ISO 28500:2017.
 */
export async function* writeWarc(
  captures: AsyncIterable<Capture> | Iterable<Capture>,
  options: WarcOptions,
): AsyncGenerator<Uint8Array> {
  const { software, at, gzip = true } = options
  const packed = (bytes: Uint8Array) => (gzip ? gzipSync(bytes) : bytes)
  const info = record({
    fields: { 'WARC-Type': 'warcinfo', 'Content-Type': 'application/warc-fields' },
    at,
    block: Buffer.from(`software: ${software}\r\nformat: WARC File Format 1.1\r\n`),
  })
  yield packed(info)
  for await (const capture of captures) yield packed(captureRecord(capture))
}

function captureRecord(capture: Capture): Uint8Array {
  const { url, at, body, revisit } = capture
  const block = httpBlock(capture)
  const digest = body === null ? revisit?.of.digest : payloadDigest(body)
  return record({
    fields: {
      'WARC-Type': body === null ? 'revisit' : 'response',
      'WARC-Target-URI': url,
      'Content-Type': 'application/http; msgtype=response',
      ...(digest === undefined ? {} : { 'WARC-Payload-Digest': digest }),
      ...(revisit === undefined ? {} : refersTo(revisit)),
    },
    at,
    block,
  })
}

function refersTo({ of, because }: NonNullable<Capture['revisit']>): Record<string, string> {
  return {
    'WARC-Profile': profiles[because],
    'WARC-Refers-To-Target-URI': of.url,
    'WARC-Refers-To-Date': humanTime(of.at),
  }
}

interface WarcRecord {
  readonly fields: Readonly<Record<string, string>>
  readonly at: UnixSeconds
  readonly block: Buffer
}

function record({ fields, at, block }: WarcRecord): Uint8Array {
  const named = { ...fields, 'WARC-Date': humanTime(at), 'Content-Length': String(block.length) }
  const text = Object.entries(named).map(([name, value]) => `${name}: ${oneLine(value)}\r\n`)
  const head = `WARC/1.1\r\nWARC-Record-ID: ${recordId(text.join(''), block)}\r\n${text.join('')}\r\n`
  return Buffer.concat([Buffer.from(head), block, Buffer.from('\r\n\r\n')])
}

/** A name-based UUID of the record itself, so that writing twice gives the same file. */
function recordId(head: string, block: Buffer): string {
  const hex = createHash('sha256').update(head).update(block).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ]
  return `<urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}>`
}

function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ')
}
