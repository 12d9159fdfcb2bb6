import type { AllocateOptions, Allocation, Means, PageColumns } from './allocation.js'
import { checkLimits, type Limits, valueAt } from './checked-limits.js'
import { predictedFreshness } from './freshness.js'
import { gainInverse, visitsPerChange } from './gain-inverse.js'
import { marginalGain } from './marginal-gain.js'
import { optimalFreshness, prepare as prepareFree } from './optimal-freshness.js'
import type { PricePoint, Reading } from './price-search.js'
import {
  type Filled,
  type Prepared,
  type PricedLaw,
  pricedAllocation,
} from './priced-allocation.js'

/** How seldom and how often pages may be visited: one number for all, or one a page. */
export interface RevisitLimits {
  /** 0, the default, is no limit. */
  readonly shortestPeriod?: number | Float64Array | undefined
  /** Infinity, the default, is no limit. */
  readonly longestPeriod?: number | Float64Array | undefined
}

/**
 * Optimal freshness under limits on each page's revisit period: at a price
 * every page takes the visit rate it would have without limits, moved to the
 * nearer limit, and the price is searched for these. That is exact: the
 * objective is concave and the limits are one page's own. A budget beyond all
 * shortest periods is not spent; one below all longest periods is refused.
 */
export function optimalFreshnessWithin(limits: RevisitLimits): Allocation {
  const { shortestPeriod: shortest = 0, longestPeriod: longest = Infinity } = limits
  const { name, summary, visits } = optimalFreshness
  const about = {
    name: `${name}-within-limits`,
    summary: `${summary}; within revisit limits`,
    visits,
  }
  const inner = pricedAllocation(about, limitedLaw({ shortest, longest }))
  return {
    ...about,
    allocate(pages: PageColumns, means: Means, options: AllocateOptions = {}) {
      checkLimits({ shortest, longest }, { pages, options })
      return inner.allocate(pages, means, options)
    },
  }
}

function limitedLaw(limits: Limits): PricedLaw {
  return {
    prepare: (pages, keys) => prepare(limits, { pages, keys }),
    measure: (pages, keys, price) => measure(limits, { pages, keys, price }),
    fill: (pages, keys, at) => fill(limits, { pages, keys, at }),
  }
}

interface Columns {
  readonly pages: PageColumns
  readonly keys: Float64Array
}

function prepare(limits: Limits, { pages, keys }: Columns): Prepared {
  const { start } = prepareFree(pages, keys)
  let least = 0
  let most = 0
  for (let i = 0; i < keys.length; i++) {
    const cost = pages.costs === undefined ? 1 : pages.costs[i]!
    const slowest = cost / valueAt(limits.longest, i)
    least += slowest
    most += keys[i] === Infinity ? slowest : cost / valueAt(limits.shortest, i)
  }
  return { start, least, most, dearest: () => dearest(limits, { pages, keys }) }
}

/** The price at which the first page leaves its longest period. */
function dearest({ longest }: Limits, { pages, keys }: Columns): number {
  let price = 0
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === Infinity) continue
    const gain = marginalGain(pages.changeRates[i]! * valueAt(longest, i))
    price = Math.max(price, gain / keys[i]!)
  }
  return price
}

function measure(limits: Limits, task: Columns & { price: number }): Reading {
  const { keys, price } = task
  const { changeRates, costs } = task.pages
  const rows = gainInverse()
  let spent = 0
  let slope = 0
  for (let i = 0; i < keys.length; i++) {
    const gain = keys[i]! * price
    const perChange = gain < 1 ? visitsPerChange(rows, gain) : 0
    const wanted = changeRates[i]! * perChange
    const visitRate = clip(limits, { wanted, i })
    const spends = costs === undefined ? visitRate : visitRate * costs[i]!
    spent += spends
    if (visitRate === wanted && wanted > 0) {
      slope -= (spends * perChange * (1 + perChange) * gain) / (1 - gain)
    }
  }
  return { spent, slope }
}

function clip({ shortest, longest }: Limits, { wanted, i }: { wanted: number; i: number }): number {
  return Math.min(Math.max(wanted, 1 / valueAt(longest, i)), 1 / valueAt(shortest, i))
}

function fill(limits: Limits, { pages, keys, at }: Columns & { at: PricePoint }): Filled {
  const { changeRates, costs } = pages
  const rows = gainInverse()
  const rateAt = (price: number, i: number) => {
    const gain = keys[i]! * price
    const wanted = gain < 1 ? changeRates[i]! * visitsPerChange(rows, gain) : 0
    return clip(limits, { wanted, i })
  }
  let spent = 0
  for (let i = 0; i < keys.length; i++) {
    const atLow = rateAt(at.low, i)
    const atHigh = at.low === at.high ? atLow : rateAt(at.high, i)
    keys[i] = atHigh + at.share * (atLow - atHigh)
    spent += costs === undefined ? keys[i]! : keys[i]! * costs[i]!
  }
  return { spent, freshness: predictedFreshness(pages, { visitRates: keys, visits: 'even' }) }
}
