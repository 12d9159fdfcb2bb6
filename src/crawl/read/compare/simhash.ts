/** Words to a shingle: enough that order counts, few enough that one word touches few. */
const width = 3

/**
 * Charikar's 64-bit simhash over shingles of three words, in hex: texts that
 * share most shingles differ in few bits. Manku, Jain and Das Sarma 2007 take
 * web pages within 3 bits for near-duplicates. O(n).
 */
export function simhash(text: string): string {
  const words = text.toLowerCase().match(/\S+/g) ?? []
  const sums = new Int32Array(64)
  const last = Math.max(1, words.length - width + 1)
  for (let i = 0; i < last; i++) addTo(sums, words.slice(i, i + width).join(' '))
  let [low, high] = [0, 0]
  for (let bit = 0; bit < 32; bit++) {
    if (sums[bit]! > 0) low |= 1 << bit
    if (sums[bit + 32]! > 0) high |= 1 << bit
  }
  return hex(high) + hex(low)
}

/** How many bits two hashes differ in. */
export function bitsApart(a: string, b: string): number {
  return [0, 8].reduce((sum, from) => {
    const [x, y] = [a, b].map((each) => Number.parseInt(each.slice(from, from + 8), 16))
    return sum + ones(x! ^ y!)
  }, 0)
}

function addTo(sums: Int32Array, shingle: string): void {
  let [a, b] = [0x811c9dc5, 0x9747b28c]
  for (let i = 0; i < shingle.length; i++) {
    const code = shingle.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  a = mixed(a)
  b = mixed(b ^ a)
  for (let bit = 0; bit < 32; bit++) {
    sums[bit]! += ((a >>> bit) & 1) === 1 ? 1 : -1
    sums[bit + 32]! += ((b >>> bit) & 1) === 1 ? 1 : -1
  }
}

/** The finaliser of MurmurHash3: every bit of the input sways every bit of the result. */
function mixed(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function ones(value: number): number {
  let count = 0
  for (let rest = value >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
