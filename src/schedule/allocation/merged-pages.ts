/** Bits of a double's high word that number the bins: sign, exponent, and 10 bits of mantissa. */
const SHIFT = 20 - 10
const BINS = 2 ** (31 - SHIFT)
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

/**
 * Pages with nearly the same key (within 1/1024), merged into one that spends
 * as they do together: the price of these few thousand is that of millions of
 * pages to about 1e-5.
 */
export interface MergedPages {
  /** Cost times change rate, summed. */
  readonly amounts: Float64Array
  /** Mean key, weighted by the amounts. */
  readonly keys: Float64Array
}

/**
 * Sums by key. The bin of a key is read from its bits, so that a page costs a
 * few ns; only the bins in use take memory (of 32 MB set aside).
 */
export class KeyBins {
  readonly #words: Int32Array
  readonly #amounts = new Float64Array(BINS)
  readonly #moments = new Float64Array(BINS)
  #lowest = BINS
  #highest = -1

  /** Over keys that the caller fills in: positive numbers. */
  constructor(keys: Float64Array) {
    this.#words = new Int32Array(keys.buffer, keys.byteOffset, 2 * keys.length)
  }

  /** Adds page `i`, whose key has been written. */
  add(i: number, { key, amount }: { key: number; amount: number }): void {
    const bin = this.#words[2 * i + HIGH]! >> SHIFT
    this.#amounts[bin]! += amount
    this.#moments[bin]! += amount * key
    if (bin < this.#lowest) this.#lowest = bin
    if (bin > this.#highest) this.#highest = bin
  }

  merged(): MergedPages {
    const amounts: number[] = []
    const keys: number[] = []
    for (let bin = this.#lowest; bin <= this.#highest; bin++) {
      const amount = this.#amounts[bin]!
      if (amount === 0) continue
      amounts.push(amount)
      keys.push(this.#moments[bin]! / amount)
    }
    return { amounts: Float64Array.from(amounts), keys: Float64Array.from(keys) }
  }
}
