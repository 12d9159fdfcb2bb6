import { createInflateRaw } from 'node:zlib'
import { type BodyLimit, collectedBody } from './collected-body.js'

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
export async function firstMember(bytes: Buffer, limit: BodyLimit): Promise<Buffer | undefined> {
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
