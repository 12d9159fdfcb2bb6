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
  return mixed(hash)
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
  return (mixed(high) >>> 11) * 2 ** 32 + (mixed(low) >>> 0)
}

function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}
