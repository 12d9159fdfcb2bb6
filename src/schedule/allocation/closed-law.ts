import type { PageColumns } from './allocation.js'
import { predictedFreshness } from './freshness.js'
import type { PricePoint, Reading } from './price-search.js'
import type { Filled, Prepared, PricedLaw } from './priced-allocation.js'

/** One page at a price: `worth` is weight times change rate over cost times price. */
export interface PricedPage {
  readonly worth: number
  readonly changeRate: number
}

/** A visit rate in closed form, and its derivative d visitRate / d ln(price). */
export interface ClosedForm {
  visitRate(page: PricedPage): number
  slope(page: PricedPage): number
  /** From sums over the pages, what the search must know; see `Prepared`. */
  search(sums: Sums): Pick<Prepared, 'start' | 'dearest'>
}

export interface Sums {
  /** Sum of cost times the root of worth at price 1. */
  readonly roots: number
  /** Sum of cost times change rate. */
  readonly changes: number
  /** Largest weight / (cost * change rate). */
  readonly steepest: number
}

/** Pages summed before the sum joins the total: keeps sums of millions to a few ulp. */
const BLOCK = 1024

/** The loops over pages for a law whose visit rates have a closed form. */
export function closedLaw(form: ClosedForm): PricedLaw {
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
): Reading {
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
      const page = { worth: keys[i]! / price, changeRate: changeRates[i]! }
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
  const atLow = form.visitRate({ worth: key / at.low, changeRate })
  if (at.low === at.high) return atLow
  const atHigh = form.visitRate({ worth: key / at.high, changeRate })
  return atHigh + at.share * (atLow - atHigh)
}
