import type { Allocation, PageColumns } from './allocation.js'
import { gainInverse, predictedFreshness, visitsPerChange } from './freshness.js'
import {
  type Filled,
  type Prepared,
  type PriceDemand,
  type PricedLaw,
  type PricePoint,
  pricedAllocation,
  searchPrice,
} from './priced-allocation.js'

/** Bits of a double's high word that number the bins: sign, exponent, and 10 bits of mantissa. */
const SHIFT = 20 - 10
const BINS = 2 ** (31 - SHIFT)
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

/**
 * Pages with nearly the same key (within 1/1024), merged into one that spends
 * as they do together: the price of these few thousand is that of millions of
 * pages to about 1e-5.
 */
interface MergedPages {
  /** Cost times change rate, summed. */
  readonly amounts: Float64Array
  /** Mean key, weighted by the amounts. */
  readonly keys: Float64Array
}

/**
 * Sums by key. The bin of a key is read from its bits, so that a page costs a
 * few ns; only the bins in use take memory (of 32 MB set aside).
 */
class KeyBins {
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

/** Pages whose gain is this near to 1 are followed one by one; some in a hundred. */
const NEAR = 0.01
/** Largest move of ln(price) for which two derivatives tell the spending of the others to 1e-12. */
const SMALL_MOVE = 3e-5
/** Share of near pages from which their list would cost more than it saves. */
const MANY = 0.1
const BLOCK = 1024

/**
 * From a good price to the exact one in a single pass over the pages: a page
 * far from being given up spends smoothly, so that for a small move its first
 * two derivatives say enough, summed over all; only those about to be given
 * up, or to be taken back, must be asked again at each price. Null if the move
 * was not small or too many are near. The caller checks the spending.
 */
function refinePrice(
  { pages, keys }: { pages: PageColumns; keys: Float64Array },
  { budget, start }: { budget: number; start: number },
  measure: (pages: PageColumns, keys: Float64Array, price: number) => PriceDemand,
): PricePoint | null {
  const found = split({ pages, keys, price: start })
  if (found === null) return null
  const { spent, slope, bend, near } = found
  const demand = (price: number): PriceDemand => {
    const move = Math.log(price / start)
    const few = measure({ changeRates: near.amounts }, near.keys, price)
    return {
      spent: few.spent + spent + move * (slope + (move * bend) / 2),
      slope: few.slope + slope + move * bend,
    }
  }
  const first = demand(start)
  // Refused before the search, whose parabola may have no root far away.
  if (!(Math.abs(first.spent - budget) <= SMALL_MOVE * Math.abs(first.slope))) return null
  const point = searchPrice(demand, { budget, start })
  return Math.abs(Math.log(point.high / start)) <= SMALL_MOVE ? point : null
}

interface Split {
  /** Of the pages that are not near: the spending and its derivatives by ln(price). */
  readonly spent: number
  readonly slope: number
  readonly bend: number
  readonly near: { readonly amounts: Float64Array; readonly keys: Float64Array }
}

function split(at: { pages: PageColumns; keys: Float64Array; price: number }): Split | null {
  const { keys, price } = at
  const { changeRates, costs } = at.pages
  const rows = gainInverse()
  const amounts: number[] = []
  const nearKeys: number[] = []
  let [spent, slope, bend] = [0, 0, 0]
  for (let from = 0; from < keys.length; from += BLOCK) {
    const to = Math.min(keys.length, from + BLOCK)
    let [blockSpent, blockSlope, blockBend] = [0, 0, 0]
    for (let i = from; i < to; i++) {
      const gain = keys[i]! * price
      if (gain > 1 + NEAR) continue
      const amount = costs === undefined ? changeRates[i]! : changeRates[i]! * costs[i]!
      if (gain < 1 - NEAR) {
        const h = visitsPerChange(rows, gain)
        const over = 1 / (1 - gain)
        // With h = 1/x: dh = -fall d ln(price), and d fall = fall (1 - gain h (2 + 3 h)) / (1 - gain).
        const fall = amount * h * h * (1 + h) * gain * over
        blockSpent += amount * h
        blockSlope -= fall
        blockBend -= fall * (1 - gain * h * (2 + 3 * h)) * over
      } else {
        amounts.push(amount)
        nearKeys.push(keys[i]!)
      }
    }
    if (amounts.length > keys.length * MANY) return null
    spent += blockSpent
    slope += blockSlope
    bend += blockBend
  }
  const near = { amounts: Float64Array.from(amounts), keys: Float64Array.from(nearKeys) }
  return { spent, slope, bend, near }
}

/** Pages from which it pays to solve for merged pages first. */
const MERGE_FROM = 20_000

/**
 * The visit rates that maximise weighted freshness for evenly spaced visits.
 *
 * With x changes expected between visits, one more visit is worth
 * w/D (1 - (1 + x) e^-x), which equals price times cost on every page that is
 * visited; pages with w/D below price times cost are given up. Poisson
 * changes, whose rates are known. From 20,000 pages on three passes (keys, price,
 * rates) and little memory but the result; below, a pass for each price tried.
 *
 * Cho & Garcia-Molina 2003, Effective page refresh policies for Web crawlers.
 */
export const optimalFreshness: Allocation = pricedAllocation(
  {
    name: 'optimal-freshness',
    summary:
      'most weighted freshness for evenly spaced visits; gives up pages that change too fast',
    visits: 'even',
  },
  { prepare, measure, fill } satisfies PricedLaw,
)

/** The price at which a page is given up is 1/key; Infinity marks a page that wants no visit. */
function prepare(pages: PageColumns, keys: Float64Array): Prepared {
  const { changeRates, weights, costs } = pages
  const bins = keys.length < MERGE_FROM ? null : new KeyBins(keys)
  let smallest = Infinity
  for (let i = 0; i < keys.length; i++) {
    const weight = weights === undefined ? 1 : weights[i]!
    const amount = costs === undefined ? changeRates[i]! : changeRates[i]! * costs[i]!
    if (amount > 0 && weight > 0) {
      const key = amount / weight
      keys[i] = key
      if (key < smallest) smallest = key
      if (bins !== null) bins.add(i, { key, amount })
    } else keys[i] = Infinity
  }
  return {
    dearest: () => 1 / smallest,
    start: (budget) => startingPrice(bins?.merged() ?? singly(pages, keys), budget),
    refine: (near) => (bins === null ? null : refinePrice({ pages, keys }, near, measure)),
    least: 0,
    most: smallest === Infinity ? 0 : Infinity,
  }
}

function singly({ changeRates, costs }: PageColumns, keys: Float64Array): MergedPages {
  const amounts = changeRates.map((each, i) => (costs === undefined ? each : each * costs[i]!))
  return { amounts, keys }
}

/**
 * As 1 - (1 + x) e^-x <= x^2 / 2, a page spends at most amount / sqrt(2 key
 * price): the price of that bound is not too low, and near for large budgets.
 * From there to the price of the merged pages.
 */
function startingPrice({ amounts, keys }: MergedPages, budget: number): number {
  let reach = 0
  let smallest = Infinity
  for (let i = 0; i < keys.length; i++) {
    reach += amounts[i]! / Math.sqrt(2 * keys[i]!)
    smallest = Math.min(smallest, keys[i]!)
  }
  const start = Math.min((reach / budget) ** 2, 0.9 / smallest)
  const demand = (price: number) => measure({ changeRates: amounts }, keys, price)
  return searchPrice(demand, { budget, start }).high
}

function measure(
  { changeRates, costs }: PageColumns,
  keys: Float64Array,
  price: number,
): PriceDemand {
  const rows = gainInverse()
  const pages = keys.length
  let spent = 0
  let slope = 0
  for (let from = 0; from < pages; from += BLOCK) {
    const to = Math.min(pages, from + BLOCK)
    let blockSpent = 0
    let blockSlope = 0
    for (let i = from; i < to; i++) {
      const gain = keys[i]! * price
      if (gain < 1) {
        const perChange = visitsPerChange(rows, gain)
        const spends =
          (costs === undefined ? changeRates[i]! : changeRates[i]! * costs[i]!) * perChange
        blockSpent += spends
        blockSlope += (spends * perChange * (1 + perChange) * gain) / (1 - gain)
      }
    }
    spent += blockSpent
    slope -= blockSlope
  }
  return { spent, slope }
}

function fill(pages: PageColumns, keys: Float64Array, at: PricePoint): Filled {
  if (at.low !== at.high) return fillBetween(pages, keys, at)
  const { changeRates, weights, costs } = pages
  const rows = gainInverse()
  let spent = 0
  let fresh = 0
  let total = 0
  for (let from = 0; from < keys.length; from += BLOCK) {
    const to = Math.min(keys.length, from + BLOCK)
    let blockSpent = 0
    let blockFresh = 0
    let blockTotal = 0
    for (let i = from; i < to; i++) {
      const changeRate = changeRates[i]!
      const weight = weights === undefined ? 1 : weights[i]!
      const gain = keys[i]! * at.low
      let visitRate = 0
      if (gain < 1) {
        const perChange = visitsPerChange(rows, gain)
        visitRate = changeRate * perChange
        blockSpent += costs === undefined ? visitRate : visitRate * costs[i]!
        // (1 - e^-x)/x without an exponential: gain/x + e^-x, and e^-x = (1 - gain)/(1 + x).
        blockFresh += weight * perChange * (gain + (1 - gain) / (1 + perChange))
      } else if (changeRate === 0) blockFresh += weight
      blockTotal += weight
      keys[i] = visitRate
    }
    spent += blockSpent
    fresh += blockFresh
    total += blockTotal
  }
  return { spent, freshness: total === 0 ? 1 : fresh / total }
}

/** The rare end of a search: one page's demand is steeper than prices have digits. */
function fillBetween(
  pages: PageColumns,
  keys: Float64Array,
  { low, high, share }: PricePoint,
): Filled {
  const { changeRates, costs } = pages
  const rows = gainInverse()
  let spent = 0
  for (let i = 0; i < keys.length; i++) {
    const atLow = keys[i]! * low < 1 ? visitsPerChange(rows, keys[i]! * low) : 0
    const atHigh = keys[i]! * high < 1 ? visitsPerChange(rows, keys[i]! * high) : 0
    keys[i] = changeRates[i]! * (atHigh + share * (atLow - atHigh))
    spent += costs === undefined ? keys[i]! : keys[i]! * costs[i]!
  }
  return { spent, freshness: predictedFreshness(pages, { visitRates: keys, visits: 'even' }) }
}
