import { mix32 } from '../../model/hash.js'
import { type Outcome, succeeded } from '../../model/history.js'
import type { ByteSlice } from '../bytes/byte-slice.js'

/**
 * A 32-bit hash of bytes: FNV-1a over words of four bytes from a seed, then the
 * final mix of murmur3, so that the low bits are as good as the high ones.
 * O(length).
 */
export function hashBytes({ bytes, start, end }: ByteSlice, seed: number): number {
  let hash = seed ^ 0x811c9dc5 ^ (end - start)
  let i = start
  for (; i + 4 <= end; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    // Multiplying moves bits up only; the shift brings the high ones back down.
    hash = Math.imul(hash ^ word, 0x01000193)
    hash ^= hash >>> 15
  }
  for (; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return mix32(hash)
}

/**
 * A digest as a number of 53 bits, so that a column of numbers can hold it: two
 * different digests meet by chance once in 9e15 comparisons. O(length).
 */
export function digestNumber({ bytes, start, end }: ByteSlice): number {
  let high = 0x9e3779b9
  let low = 0x811c9dc5
  for (let i = start; i < end; i++) {
    high = Math.imul(high ^ bytes[i]!, 0x5f356495) + (high >>> 15)
    low = Math.imul(low ^ bytes[i]!, 0x01000193)
  }
  return (mix32(high) >>> 11) * 2 ** 32 + (mix32(low) >>> 0)
}

/** No digest is known: the page was never seen with one, or last seen without. */
export const noDigest = Number.NaN

/**
 * What a digest tells beside the one of the successful visit before: a new
 * digest is a change, and with nothing to compare with the visit is a first.
 */
export function outcomeByDigest(digest: number, before: number): Outcome {
  if (Number.isNaN(before)) return 'first'
  return digest === before ? 'unchanged' : 'changed'
}

/** The digest to compare the next visit with: an `unchanged` without one (a 304) keeps the old. */
export function digestAfter(visit: { outcome: Outcome; digest: number }, before: number): number {
  if (!Number.isNaN(visit.digest)) return visit.digest
  return succeeded(visit.outcome) && visit.outcome !== 'unchanged' ? noDigest : before
}
