/**
 * 32 bits that depend on all the given numbers and on nothing else (the
 * finaliser of MurmurHash3 over each in turn): what a page is and says is
 * looked up by its numbers, so nothing needs to be stored.
 */
export function hashOf(...numbers: readonly number[]): number {
  let state = 0x9e3779b9
  for (const each of numbers) {
    state ^= mixed((each | 0) ^ Math.floor(each / 0x1_0000_0000))
    state = (Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64) | 0
  }
  return mixed(state) >>> 0
}

function mixed(bits: number): number {
  let value = bits ^ (bits >>> 16)
  value = Math.imul(value, 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}

/** The same as a share of 1, in [0, 1). */
export function shareOf(...numbers: readonly number[]): number {
  return hashOf(...numbers) / 0x1_0000_0000
}

/** One of a list, by the same numbers. */
export function pickOf<T>(list: readonly T[], ...numbers: readonly number[]): T {
  return list[hashOf(...numbers) % list.length]!
}
