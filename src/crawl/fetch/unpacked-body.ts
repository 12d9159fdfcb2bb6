import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
} from 'node:zlib'
import { type BodyLimit, type CollectedBody, collectedBody } from './collected-body.js'
import { FetchFailure } from './fetch-failure.js'
import { firstMember } from './first-member.js'

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
