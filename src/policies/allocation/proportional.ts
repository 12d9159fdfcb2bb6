import {
  type AllocateOptions,
  type Allocation,
  type Allotment,
  checkInput,
  type Means,
  type PageColumns,
} from './allocation.js'
import { gainInverse, marginalGain, predictedFreshness, visitsPerChange } from './freshness.js'

/**
 * Visits in proportion to the change rate, whatever the weight: the intuitive
 * way, and a worse one than equal visits (Cho & Garcia-Molina 2003). Every
 * page then has the same freshness, so the price too is closed: with k visits
 * per change, weight * gain(1/k) = price * cost of a visit per change to all.
 */
export const proportional: Allocation = {
  name: 'proportional',
  summary: 'visits in proportion to the change rate; a baseline',
  visits: 'even',
  allocate(pages: PageColumns, means: Means, options: AllocateOptions = {}): Allotment {
    checkInput(pages, means, options)
    const visitRates = options.into ?? new Float64Array(pages.changeRates.length)
    const { amount, weight } = totals(pages)
    const perChange = visitsForEachChange({ amount, weight, means })
    for (let i = 0; i < visitRates.length; i++) visitRates[i] = perChange * pages.changeRates[i]!
    return {
      visitRates,
      multiplier:
        means.price ?? (amount === 0 ? 0 : (weight * marginalGain(1 / perChange)) / amount),
      freshness: predictedFreshness(pages, { visitRates, visits: 'even' }),
      spent: perChange * amount,
    }
  },
}

/** Cost of one visit per change to every page, and the weight of the pages that change. */
function totals({ changeRates, weights, costs }: PageColumns): { amount: number; weight: number } {
  let amount = 0
  let weight = 0
  for (let i = 0; i < changeRates.length; i++) {
    const changeRate = changeRates[i]!
    if (changeRate === 0) continue
    amount += costs === undefined ? changeRate : changeRate * costs[i]!
    weight += weights === undefined ? 1 : weights[i]!
  }
  return { amount, weight }
}

function visitsForEachChange(all: { amount: number; weight: number; means: Means }): number {
  const { amount, weight, means } = all
  if (amount === 0) return 0
  if (means.budget !== undefined) return means.budget / amount
  const gain = (means.price * amount) / weight
  return gain < 1 ? visitsPerChange(gainInverse(), gain) : 0
}
