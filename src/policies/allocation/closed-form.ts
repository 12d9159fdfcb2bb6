import type { Allocation, PageColumns } from './allocation.js'
import { predictedFreshness } from './freshness.js'
import {
  type Filled,
  type Prepared,
  type PriceDemand,
  type PricedLaw,
  type PricePoint,
  pricedAllocation,
} from './priced-allocation.js'

/** One page at a price: `value` is weight times change rate over cost times price. */
interface PricedPage {
  readonly value: number
  readonly changeRate: number
}

/** A visit rate in closed form, and its derivative d visitRate / d ln(price). */
interface ClosedForm {
  visitRate(page: PricedPage): number
  slope(page: PricedPage): number
  /** From sums over the pages, what the search must know; see `Prepared`. */
  search(sums: Sums): Pick<Prepared, 'start' | 'dearest'>
}

interface Sums {
  /** Sum of cost times the root of value at price 1. */
  readonly roots: number
  /** Sum of cost times change rate. */
  readonly changes: number
  /** Largest weight / (cost * change rate). */
  readonly steepest: number
}

/** Pages summed before the sum joins the total: keeps sums of millions to a few ulp. */
const BLOCK = 1024

/** The loops over pages for a law whose visit rates have a closed form. */
function closedLaw(form: ClosedForm): PricedLaw {
  return {
    prepare: (pages, keys) => prepare(form, pages, keys),
    measure: (pages, keys, price) => measure(form, { pages, keys, price }),
    fill: (pages, keys, at) => fill(form, { pages, keys, at }),
  }
}

function prepare(form: ClosedForm, pages: PageColumns, keys: Float64Array): Prepared {
  const { changeRates, weights, costs } = pages
  let roots = 0
  let changes = 0
  let steepest = 0
  for (let i = 0; i < keys.length; i++) {
    const changeRate = changeRates[i]!
    const cost = costs === undefined ? 1 : costs[i]!
    const weight = weights === undefined ? 1 : weights[i]!
    keys[i] = (weight * changeRate) / cost
    if (keys[i] === 0) continue
    roots += cost * Math.sqrt(keys[i]!)
    changes += cost * changeRate
    steepest = Math.max(steepest, weight / (cost * changeRate))
  }
  const most = roots === 0 ? 0 : Infinity
  return { ...form.search({ roots, changes, steepest }), least: 0, most }
}

function measure(
  form: ClosedForm,
  task: { pages: PageColumns; keys: Float64Array; price: number },
): PriceDemand {
  const { keys, price } = task
  const { changeRates, costs } = task.pages
  let spent = 0
  let slope = 0
  for (let from = 0; from < keys.length; from += BLOCK) {
    const to = Math.min(keys.length, from + BLOCK)
    let blockSpent = 0
    let blockSlope = 0
    for (let i = from; i < to; i++) {
      if (keys[i] === 0) continue
      const page = { value: keys[i]! / price, changeRate: changeRates[i]! }
      const cost = costs === undefined ? 1 : costs[i]!
      blockSpent += cost * form.visitRate(page)
      blockSlope += cost * form.slope(page)
    }
    spent += blockSpent
    slope += blockSlope
  }
  return { spent, slope }
}

function fill(
  form: ClosedForm,
  { pages, keys, at }: { pages: PageColumns; keys: Float64Array; at: PricePoint },
): Filled {
  const { changeRates, costs } = pages
  let spent = 0
  for (let from = 0; from < keys.length; from += BLOCK) {
    const to = Math.min(keys.length, from + BLOCK)
    let blockSpent = 0
    for (let i = from; i < to; i++) {
      keys[i] = keys[i] === 0 ? 0 : blend(form, { key: keys[i]!, changeRate: changeRates[i]!, at })
      blockSpent += costs === undefined ? keys[i]! : keys[i]! * costs[i]!
    }
    spent += blockSpent
  }
  return { spent, freshness: predictedFreshness(pages, { visitRates: keys, visits: 'poisson' }) }
}

function blend(
  form: ClosedForm,
  { key, changeRate, at }: { key: number; changeRate: number; at: PricePoint },
): number {
  const atLow = form.visitRate({ value: key / at.low, changeRate })
  if (at.low === at.high) return atLow
  const atHigh = form.visitRate({ value: key / at.high, changeRate })
  return atHigh + at.share * (atLow - atHigh)
}

/**
 * The visit rates that maximise weighted freshness for visits at random
 * moments: max(0, sqrt(w D / (cost price)) - D). Pages that change too fast
 * for their weight are given up.
 *
 * Poisson changes and Poisson visits. Azar et al. 2018, Tractable near-optimal
 * policies for crawling.
 */
export const azar: Allocation = pricedAllocation(
  {
    name: 'azar',
    summary: 'most weighted freshness for visits at random moments; gives up the fastest pages',
    visits: 'poisson',
  },
  closedLaw({
    visitRate: ({ value, changeRate }: PricedPage) => Math.max(0, Math.sqrt(value) - changeRate),
    slope: ({ value, changeRate }: PricedPage) => {
      const root = Math.sqrt(value)
      return root > changeRate ? -root / 2 : 0
    },
    search: ({ roots, changes, steepest }) => ({
      // Without the floor at 0 spending is linear in 1/sqrt(price): never too high a price.
      start: (budget) => (roots / (budget + changes)) ** 2,
      dearest: () => steepest,
    }),
  }),
)

/**
 * The visit rates that maximise the weighted mean logarithm of freshness for
 * visits at random moments, so that no page is given up:
 * (-D + sqrt(D^2 + 4 w D / (cost price))) / 2, written without the difference.
 *
 * Poisson changes and Poisson visits. Kolobov et al. 2019, Staying up to date
 * with online content changes using reinforcement learning for scheduling
 * (LambdaCrawl).
 */
export const harmonic: Allocation = pricedAllocation(
  {
    name: 'harmonic',
    summary:
      "LambdaCrawl's harmonic freshness: fast pages get less than their share, but never none",
    visits: 'poisson',
  },
  closedLaw({
    visitRate: ({ value, changeRate }: PricedPage) =>
      (2 * value) / (changeRate + Math.sqrt(changeRate * changeRate + 4 * value)),
    slope: ({ value, changeRate }: PricedPage) =>
      -value / Math.sqrt(changeRate * changeRate + 4 * value),
    search: ({ roots }) => ({
      // A page's visit rate is below the root of its value: never too low a price.
      start: (budget) => (roots / budget) ** 2,
      dearest: () => (roots === 0 ? 0 : null),
    }),
  }),
)
