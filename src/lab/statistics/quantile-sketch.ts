import { OptionError } from '../../model/errors.js'
import { normalQuantile } from '../../numeric/special-functions.js'

/** A quantile and how far chance may have moved it. */
export interface SketchedQuantile {
  readonly value: number
  /** The bounds hold the quantile of the law behind the values at the level asked for, bins and all. */
  readonly low: number
  readonly high: number
  /** Half the width of the bounds, in standard normal units. */
  readonly standardError: number
}

/** What a sketch is made of: plain numbers, to be sent between threads. */
export interface QuantileSketchState {
  readonly least: number
  readonly most: number
  /** Bin and count, in ascending order of the bins. */
  readonly bins: readonly (readonly [bin: number, count: number])[]
}

const number = new Float64Array(1)
const words = new Int32Array(number.buffer)
/** The word with the sign and the exponent: the second, on all but museum machines. */
const upper = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0
/** Bits of the mantissa that tell two bins apart are 7 of the upper word's 20. */
const dropped = 13

/**
 * Quantiles of values that come in any order and in any number of parts, to
 * 0.4% of their size: each value is counted in a fixed bin, 128 bins from one
 * power of two to the next, read off the bits of the number. The counts are
 * whole numbers, so merging has no order and the results are the same bytes
 * however the values were shared out among threads; P2 and t-digests, whose
 * bins move with the data, cannot promise that. Least and greatest value are
 * exact. Memory grows with the spread of the values: 128 bins an octave.
 */
export class QuantileSketch {
  readonly #bins: Map<number, number>
  #count = 0
  #least: number
  #most: number

  constructor(
    { least, most, bins }: QuantileSketchState = { least: Infinity, most: -Infinity, bins: [] },
  ) {
    this.#least = least
    this.#most = most
    this.#bins = new Map(bins)
    for (const count of this.#bins.values()) this.#count += count
  }

  add(value: number): void {
    if (!Number.isFinite(value))
      throw new OptionError('bad-value', `${value} has no place among quantiles; leave it out`)
    const bin = binOf(value)
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1)
    this.#count++
    if (value < this.#least) this.#least = value
    if (value > this.#most) this.#most = value
  }

  merge(other: QuantileSketch): void {
    for (const [bin, count] of other.#bins) this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + count)
    this.#count += other.#count
    this.#least = Math.min(this.#least, other.#least)
    this.#most = Math.max(this.#most, other.#most)
  }

  get count(): number {
    return this.#count
  }

  get state(): QuantileSketchState {
    return { least: this.#least, most: this.#most, bins: this.#sorted() }
  }

  /**
   * The p-quantile with distribution-free bounds: of n values, the number
   * below the true quantile is binomial, so the values at the ranks n p -+ z
   * sqrt(n p (1 - p)) hold it. Null before any value. O(bins).
   */
  quantile(p: number, { level = 0.95 }: { readonly level?: number } = {}): SketchedQuantile | null {
    checkShare('p', p, p >= 0 && p <= 1)
    checkShare('level', level, level > 0 && level < 1)
    if (this.#count === 0) return null
    const sorted = this.#sorted()
    const z = normalQuantile((1 + level) / 2)
    const reach = z * Math.sqrt(this.#count * p * (1 - p))
    const low = this.#valueAt(sorted, { rank: this.#count * p - reach, part: 0 })
    const high = this.#valueAt(sorted, { rank: this.#count * p + reach, part: 1 })
    const value = this.#valueAt(sorted, { rank: this.#count * p, part: 0.5 })
    return { value, low, high, standardError: (high - low) / (2 * z) }
  }

  #sorted(): (readonly [number, number])[] {
    return [...this.#bins].sort(([a], [b]) => a - b)
  }

  /** The value of a rank: the edge or the middle of its bin, within what was seen. */
  #valueAt(
    sorted: readonly (readonly [number, number])[],
    { rank, part }: { readonly rank: number; readonly part: 0 | 0.5 | 1 },
  ): number {
    const target = Math.min(this.#count, Math.max(1, Math.ceil(rank)))
    if (target === 1) return this.#least
    if (target === this.#count) return this.#most
    let seen = 0
    for (const [bin, count] of sorted) {
      seen += count
      if (seen >= target) return Math.min(this.#most, Math.max(this.#least, pointIn(bin, part)))
    }
    return this.#most
  }
}

/** Bins ascend with the values: -1, -2, ... below 0, and 0 for 0 itself. */
function binOf(value: number): number {
  number[0] = Math.abs(value)
  const bin = words[upper]! >>> dropped
  return value < 0 ? -bin - 1 : bin
}

/** The lower edge (part 0), the middle or the upper edge (part 1) of a bin. */
function pointIn(bin: number, part: 0 | 0.5 | 1): number {
  if (bin < 0) return -pointIn(-bin - 1, (1 - part) as 0 | 0.5 | 1)
  if (bin === 0 && part < 1) return 0
  number[0] = 0
  words[upper] = (bin + part) * 2 ** dropped
  return number[0]!
}

function checkShare(name: string, value: number, possible: boolean): void {
  if (possible) return
  throw new OptionError(`bad-${name}`, `${name} is ${value}, but it must lie between 0 and 1`)
}
