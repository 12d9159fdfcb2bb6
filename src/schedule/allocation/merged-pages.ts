/** Bits of a double's high word that number the bins: sign, exponent, and 7 bits of mantissa. */
const SHIFT = 20 - 7
const BINS = 2 ** (31 - SHIFT)
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

/**
 * Pages with nearly the same key (within 1/128), merged into one that spends
 * as they do together: the price of a few thousand of these is that of
 * millions of pages to about 1e-6. The bin is read from the bits of the key,
 * so that adding a page costs a few ns.
 */
export interface MergedPages {
  /** Cost times change rate, summed. */
  readonly amounts: Float64Array
  /** Mean key, weighted by the amounts. */
  readonly keys: Float64Array
}

/** Merges pages by their keys (positive; Infinity for pages that spend nothing). O(n + 2^18). */
export function mergePages(keys: Float64Array, amountOf: (i: number) => number): MergedPages {
  const words = new Int32Array(keys.buffer, keys.byteOffset, 2 * keys.length)
  const amounts = new Float64Array(BINS)
  const moments = new Float64Array(BINS)
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === Infinity) continue
    const bin = words[2 * i + HIGH]! >> SHIFT
    const amount = amountOf(i)
    amounts[bin]! += amount
    moments[bin]! += amount * keys[i]!
  }
  const used = amounts.reduce((count, amount) => (amount > 0 ? count + 1 : count), 0)
  return compact({ amounts, moments, used })
}

function compact(bins: {
  amounts: Float64Array
  moments: Float64Array
  used: number
}): MergedPages {
  const amounts = new Float64Array(bins.used)
  const keys = new Float64Array(bins.used)
  let at = 0
  for (let bin = 0; at < bins.used; bin++) {
    const amount = bins.amounts[bin]!
    if (amount === 0) continue
    amounts[at] = amount
    keys[at++] = bins.moments[bin]! / amount
  }
  return { amounts, keys }
}
