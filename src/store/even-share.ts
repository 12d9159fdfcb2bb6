/**
 * Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): numbers in
 * a row fall evenly over 32 bits, whatever the share and however pages were
 * added. Small enough that SQLite's whole numbers hold the product.
 */
export const hashFactor = 1_640_531_527
const range = 2 ** 32

/** What a page's hash is below where the page is in the sample. */
export function hashLimit(share: number): number {
  return Math.ceil(Math.min(1, Math.max(0, share)) * range)
}

/** Whether a page is in a sample of such a share. */
export function isInShare(number: number, share: number): boolean {
  return Math.imul(number, hashFactor) >>> 0 < hashLimit(share)
}
