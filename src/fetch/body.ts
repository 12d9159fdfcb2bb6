import type { Readable, Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from 'node:zlib'
import { FetchFailure } from './answer.js'

export interface BodyLimit {
  readonly maxBytes: number
  readonly whenLarger: 'fail' | 'cut'
}

export interface CollectedBody {
  readonly bytes: Buffer
  /** There was more than the limit, and it was let go. */
  readonly cut: boolean
}

/**
 * Takes in a stream up to a limit. Memory stays within the limit and one chunk:
 * an endless body is broken off, not read.
 */
function collectedBody(
  stream: Readable,
  { maxBytes, whenLarger, onChunk }: BodyLimit & { onChunk?: (size: number) => void },
): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let done = false
    const finish = (cut: boolean) => {
      done = true
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve({ bytes: cut ? bytes.subarray(0, maxBytes) : bytes, cut })
    }
    stream.on('data', (chunk: Buffer) => {
      onChunk?.(chunk.length)
      size += chunk.length
      if (whenLarger === 'cut' || size <= maxBytes) chunks.push(chunk)
      if (size <= maxBytes) return
      if (whenLarger === 'cut') finish(true)
      else reject(new FetchFailure('too-large', `the content is larger than ${maxBytes} bytes`))
      stream.destroy()
    })
    stream.on('end', () => finish(false))
    stream.on('error', reject)
    // Every stream closes in the end, and an error is dear to make.
    stream.on('close', () => {
      if (!done) reject(new FetchFailure('reset', 'the content broke off'))
    })
  })
}

/** The optional fields of a member's header. RFC 1952, 2.3.1. */
const flags = { headCrc: 2, extra: 4, name: 8, comment: 16 } as const
/** CRC and length. */
const trailerBytes = 8

/**
 * The first whole member of gzip data, without what follows it: some servers
 * send stray bytes after their content, and browsers do not mind. Undefined
 * where there is no such member. One alone, so that a body of many tiny ones
 * costs no more than its size.
 */
async function firstMember(bytes: Buffer, limit: BodyLimit): Promise<Buffer | undefined> {
  const head = headerLength(bytes)
  if (head === undefined) return undefined
  const stream = createInflateRaw()
  stream.end(bytes.subarray(head))
  try {
    await collectedBody(stream, limit)
    const end = head + stream.bytesWritten + trailerBytes
    return end <= bytes.length ? bytes.subarray(0, end) : undefined
  } catch {
    return undefined
  } finally {
    stream.destroy()
  }
}

function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < 18 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8)
    return undefined
  const has = (flag: number) => (bytes[3]! & flag) !== 0
  let at = 10
  if (has(flags.extra)) at += 2 + bytes.readUInt16LE(at)
  if (has(flags.name)) at = afterZero(bytes, at)
  if (has(flags.comment)) at = afterZero(bytes, at)
  if (has(flags.headCrc)) at += 2
  return at < bytes.length ? at : undefined
}

function afterZero(bytes: Buffer, from: number): number {
  const zero = bytes.indexOf(0, from)
  return zero < 0 ? bytes.length : zero + 1
}

/** What we say we understand. */
export const acceptedCodings = 'gzip, deflate, br'

/** Words for no packing at all; the last two are no codings, but servers send them and browsers take the content as it is. */
const plain: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8'])

/** More layers than that are nobody's honest content. */
const mostLayers = 2

/**
 * Unpacks a body by its Content-Encoding, layer by layer, up to the limit: a
 * bomb is given up as soon as it has grown past it. Damaged packing is an
 * answer we cannot use, unless the body was cut on purpose.
 */
export async function unpackedBody(
  body: CollectedBody,
  { coding, ...limit }: BodyLimit & { readonly coding: string },
): Promise<Buffer> {
  const layers = coding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !plain.has(each))
  if (layers.length > mostLayers)
    throw new FetchFailure('bad-answer', `the content is packed ${layers.length} times over`)
  let current = body
  for (const layer of layers.reverse()) current = await unpacked(current, layer, limit)
  return current.bytes
}

async function unpacked(
  body: CollectedBody,
  layer: string,
  limit: BodyLimit,
): Promise<CollectedBody> {
  if (body.bytes.length === 0) return body
  try {
    return await unpackedWhole(body, layer, limit)
  } catch (error) {
    if (error instanceof FetchFailure) throw error
    const first = isGzip(layer) ? await firstMember(body.bytes, limit) : undefined
    if (first === undefined || first.length === body.bytes.length) throw damaged(layer)
    return unpackedWhole({ bytes: first, cut: body.cut }, layer, limit).catch(() => {
      throw damaged(layer)
    })
  }
}

async function unpackedWhole(
  body: CollectedBody,
  layer: string,
  limit: BodyLimit,
): Promise<CollectedBody> {
  const stream = unpackerOf(layer, body)
  stream.end(body.bytes)
  try {
    return await collectedBody(stream, limit)
  } finally {
    stream.destroy()
  }
}

function damaged(layer: string): FetchFailure {
  return new FetchFailure('bad-answer', `the ${layer} data are damaged`)
}

function isGzip(layer: string): boolean {
  return layer === 'gzip' || layer === 'x-gzip'
}

function unpackerOf(layer: string, { bytes, cut }: CollectedBody): Transform {
  const zlib = cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {}
  if (isGzip(layer)) return createGunzip(zlib)
  if (layer === 'br')
    return createBrotliDecompress(cut ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {})
  if (layer !== 'deflate')
    throw new FetchFailure('bad-answer', `the content is packed as "${layer.slice(0, 40)}"`)
  // Servers send deflate with the wrapper that RFC 9110 asks for, and without.
  return (bytes[0]! & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib)
}

/** New visits wait while contents under way hold so much. */
const usual = 128 * 1024 * 1024
/** A content that has grown to this may be given up where all of them hold twice as much. */
const large = 1024 * 1024

/**
 * Counts what all contents under way hold together, so that many large ones at
 * once do not take all memory: each has its own limit, and there may be
 * hundreds from slow servers.
 */
export class BytesUnderWay {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #bytes = 0

  constructor({ most = usual }: { readonly most?: number } = {}) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#bytes >= this.#most
  }

  /** Calls back when a visit may begin, at once where there is room; it calls `ended` once in the end. */
  whenRoom(begin: () => void): void {
    if (this.isFull) this.#waiting.push(begin)
    else begin()
  }

  /** Takes bytes that have come; false where a content of this size is to be given up. */
  take(bytes: number, size: number): boolean {
    this.#bytes += bytes
    return this.#bytes < 2 * this.#most || size < Math.min(large, this.#most / 8)
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }

  /** A visit has ended: one that waits takes its place, or two where there is much room. Not all: nobody knows yet what they bring. */
  ended(): void {
    for (let n = this.#bytes < this.#most / 2 ? 2 : 1; n > 0 && !this.isFull; n--)
      this.#waiting.shift()?.()
  }
}
