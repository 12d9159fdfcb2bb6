/** No more partial sums of 53 bits fit into the range of the doubles without overlap. */
const most = 48

/**
 * A sum of doubles without any rounding until it is read, so it is the same
 * bytes in whatever order values are added and parts are merged.
 *
 * Kept as partial sums that do not overlap; rarely more than three. Finite
 * values whose sum stays below 1.8e308. O(partials) an addition.
 *
 * Shewchuk 1997, "Adaptive precision floating-point arithmetic", grow-expansion.
 */
export class ExactSum {
  readonly #partials = new Float64Array(most)
  #size = 0

  constructor(partials: Iterable<number> = []) {
    for (const each of partials) this.add(each)
  }

  /** In ascending order of size; their exact sum is the value. */
  get partials(): readonly number[] {
    return Array.from(this.#partials.subarray(0, this.#size))
  }

  add(value: number): void {
    const partials = this.#partials
    const size = this.#size
    let carried = value
    let kept = 0
    for (let i = 0; i < size; i++) {
      const other = partials[i]!
      const total = carried + other
      const shown = total - carried
      const lost = carried - (total - shown) + (other - shown)
      if (lost !== 0) partials[kept++] = lost
      carried = total
    }
    if (carried !== 0) partials[kept++] = carried
    this.#size = kept
  }

  /** Adds a x b exactly, as long as neither product nor rest leaves the doubles. */
  addProduct({ a, b }: { readonly a: number; readonly b: number }): void {
    const product = a * b
    this.add(product)
    this.add(productError({ a, b, product }))
  }

  merge(other: ExactSum): void {
    for (let i = 0; i < other.#size; i++) this.add(other.#partials[i]!)
  }

  /** The double nearest to the sum. Python's math.fsum rounds in the same way. */
  get value(): number {
    const partials = this.#partials
    let i = this.#size - 1
    if (i < 0) return 0
    let high = partials[i--]!
    let low = 0
    while (i >= 0) {
      const before = high
      const next = partials[i--]!
      high = before + next
      low = next - (high - before)
      if (low !== 0) break
    }
    return roundHalfEven({ high, low, below: i >= 0 ? partials[i]! : 0 })
  }

  /** The sum as its nearest double, the nearest double to the rest, and so on: one form only. */
  get parts(): readonly number[] {
    const rest = new ExactSum(this.partials)
    const parts: number[] = []
    for (let part = rest.value; part !== 0; part = rest.value) {
      parts.push(part)
      rest.add(-part)
    }
    return parts
  }

  /** The product, as exact as the sums. O(parts x parts). */
  times(other: ExactSum): ExactSum {
    const product = new ExactSum()
    const factors = other.parts
    for (const a of this.parts) for (const b of factors) product.addProduct({ a, b })
    return product
  }
}

/** Half way between two doubles the remaining partials decide, not the tie rule. */
function roundHalfEven({ high, low, below }: { high: number; low: number; below: number }): number {
  if (!((low < 0 && below < 0) || (low > 0 && below > 0))) return high
  const twice = low * 2
  const moved = high + twice
  return twice === moved - high ? moved : high
}

/** What rounding took from a x b (Dekker 1971; Veltkamp's split into halves of 26 bits). */
export function productError({
  a,
  b,
  product,
}: {
  readonly a: number
  readonly b: number
  readonly product: number
}): number {
  const aHigh = upperHalf(a)
  const bHigh = upperHalf(b)
  const aLow = a - aHigh
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

function upperHalf(value: number): number {
  const scaled = 134_217_729 * value
  return scaled - (scaled - value)
}
