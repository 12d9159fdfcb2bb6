import { brent } from '../../numeric/index.js'
import type { AllocateOptions, Allocation, Allotment, Means, PageColumns } from './allocation.js'
import { checkInput } from './checked-input.js'
import { predictedFreshness } from './freshness.js'
import { marginalGain } from './marginal-gain.js'

/**
 * The same visit rate for every page, changing or not, whatever it weighs.
 *
 * At a price instead of a budget it is the visit rate at which one more visit
 * to all adds as much weighted freshness as it costs: Brent's method, some 15
 * passes of one exponential a page.
 */
export const equal: Allocation = {
  name: 'equal',
  summary: 'the same visit rate for every page; a baseline that is hard to beat by guessing',
  visits: 'even',
  allocate(pages: PageColumns, means: Means, options: AllocateOptions = {}): Allotment {
    checkInput(pages, means, options)
    const visitRates = options.into ?? new Float64Array(pages.changeRates.length)
    const cost = totalCost(pages)
    const visitRate =
      means.budget === undefined
        ? atPrice(pages, means.price * cost)
        : share({ budget: means.budget, cost })
    visitRates.fill(visitRate)
    return {
      visitRates,
      multiplier: means.price ?? (cost === 0 ? 0 : gainOfAll(pages, visitRate) / cost),
      freshness: predictedFreshness(pages, { visitRates, visits: 'even' }),
      spent: visitRate * cost,
    }
  },
}

function share({ budget, cost }: { budget: number; cost: number }): number {
  return cost === 0 ? 0 : budget / cost
}

function totalCost({ changeRates, costs }: PageColumns): number {
  if (costs === undefined) return changeRates.length
  let total = 0
  for (const cost of costs) total += cost
  return total
}

/** Weighted freshness that one more visit to every page adds: falls in the visit rate. */
function gainOfAll({ changeRates, weights }: PageColumns, visitRate: number): number {
  let total = 0
  for (let i = 0; i < changeRates.length; i++) {
    const changeRate = changeRates[i]!
    if (changeRate === 0) continue
    const weight = weights === undefined ? 1 : weights[i]!
    total += (weight / changeRate) * marginalGain(changeRate / visitRate)
  }
  return total
}

/** The visit rate of a given gain. As a gain is at most sum w D / (2 r^2), that r bounds it. */
function atPrice(pages: PageColumns, aim: number): number {
  if (gainOfAll(pages, 0) <= aim) return 0
  let reach = 0
  for (let i = 0; i < pages.changeRates.length; i++) {
    reach += pages.changeRates[i]! * (pages.weights === undefined ? 1 : pages.weights[i]!)
  }
  const high = Math.log(reach / aim / 2) / 2
  let low = high - 1
  while (gainOfAll(pages, Math.exp(low)) < aim) low -= 1
  const excess = (log: number) => Math.log(gainOfAll(pages, Math.exp(log)) / aim)
  return Math.exp(brent(excess, { low, high }))
}
