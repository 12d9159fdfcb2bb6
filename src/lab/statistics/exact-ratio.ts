import { OptionError } from '../../model/errors.js'
import { ExactSum } from '../../numeric/exact-sum.js'

/** What an `ExactRatio` is made of: plain numbers, to be sent between threads. */
export interface ExactRatioState {
  readonly count: number
  readonly sums: readonly (readonly number[])[]
}

const largest = 1e140

/**
 * A ratio of two totals over parts, with its standard error: freshness is time
 * fresh over time watched, summed over pages; or over sources, where the pages
 * of one source rise and fall together and only sources are independent.
 *
 * The error is that of the linearised ratio, sqrt(n/(n-1) sum (top - ratio
 * bottom)^2) / total bottom. Sums are exact, so the bytes do not depend on how
 * the parts were shared out among threads.
 *
 * Cochran 1977, Sampling Techniques, section 6.4.
 */
export class ExactRatio {
  #count: number
  readonly #sums: readonly ExactSum[]

  constructor({ count, sums }: ExactRatioState = { count: 0, sums: [[], [], [], [], []] }) {
    this.#count = count
    this.#sums = sums.map((partials) => new ExactSum(partials))
  }

  add({ top, bottom }: { readonly top: number; readonly bottom: number }): void {
    if (!(Math.abs(top) <= largest && Math.abs(bottom) <= largest))
      throw new OptionError('bad-value', `${top} / ${bottom} has a part that is no finite number`)
    const [tops, bottoms, topSquares, products, bottomSquares] = this.#sums
    this.#count++
    tops!.add(top)
    bottoms!.add(bottom)
    topSquares!.addProduct({ a: top, b: top })
    products!.addProduct({ a: top, b: bottom })
    bottomSquares!.addProduct({ a: bottom, b: bottom })
  }

  merge(other: ExactRatio): void {
    this.#count += other.#count
    this.#sums.forEach((each, i) => {
      each.merge(other.#sums[i]!)
    })
  }

  get state(): ExactRatioState {
    return { count: this.#count, sums: this.#sums.map((each) => [...each.partials]) }
  }

  get count(): number {
    return this.#count
  }

  /** Null while the bottom is 0. */
  get value(): number | null {
    const bottom = this.#sums[1]!.value
    return bottom === 0 ? null : this.#sums[0]!.value / bottom
  }

  /** Null while there is no ratio or fewer than two parts. */
  get standardError(): number | null {
    const { value } = this
    if (value === null || this.#count < 2) return null
    const [, bottoms, topSquares, products, bottomSquares] = this.#sums
    const ratio = new ExactSum([value])
    const squares = new ExactSum(topSquares!.partials)
    squares.merge(products!.times(ratio).times(new ExactSum([-2])))
    squares.merge(bottomSquares!.times(ratio).times(ratio))
    const spread = Math.max(0, squares.value) * (this.#count / (this.#count - 1))
    return Math.sqrt(spread) / Math.abs(bottoms!.value)
  }
}
