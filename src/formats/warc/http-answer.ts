import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { type Fields, fieldsIn } from './warc-records.js'

export interface HttpAnswer {
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
export function httpAnswer(block: Buffer, { largest }: { readonly largest: number }): HttpAnswer {
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
