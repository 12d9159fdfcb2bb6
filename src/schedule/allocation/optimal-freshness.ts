import type { Allocation, PageColumns } from './allocation.js'
import { predictedFreshness } from './freshness.js'
import { gainInverse, visitsPerChange } from './gain-inverse.js'
import { KeyBins, type MergedPages } from './merged-pages.js'
import { type PricePoint, type Reading, searchPrice } from './price-search.js'
import {
  type Filled,
  type Prepared,
  type PricedLaw,
  pricedAllocation,
} from './priced-allocation.js'
import { refinePrice } from './refine-price.js'

/** Pages summed before the sum joins the total: keeps sums of millions to a few ulp. */
const BLOCK = 1024
/** Pages from which it pays to solve for merged pages first. */
const WORTH_MERGING = 20_000

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
export function prepare(pages: PageColumns, keys: Float64Array): Prepared {
  const { changeRates, weights, costs } = pages
  const bins = keys.length < WORTH_MERGING ? null : new KeyBins(keys)
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

function measure({ changeRates, costs }: PageColumns, keys: Float64Array, price: number): Reading {
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
