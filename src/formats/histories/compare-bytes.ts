import type { ByteSlice } from '../bytes/byte-slice.js'

/** Below, at or above 0 as `a` sorts before, with or after `b` by bytes, as `LC_ALL=C sort` does. */
export function compareBytes(a: ByteSlice, b: ByteSlice): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = a.bytes[a.start + i]! - b.bytes[b.start + i]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
