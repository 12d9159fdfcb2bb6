import type { Allocation } from './allocation.js'
import { closedLaw, type PricedPage } from './closed-law.js'
import { pricedAllocation } from './priced-allocation.js'

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
    visitRate: ({ worth, changeRate }: PricedPage) =>
      (2 * worth) / (changeRate + Math.sqrt(changeRate * changeRate + 4 * worth)),
    slope: ({ worth, changeRate }: PricedPage) =>
      -worth / Math.sqrt(changeRate * changeRate + 4 * worth),
    search: ({ roots }) => ({
      // A page's visit rate is below the root of its worth: never too low a price.
      start: (budget) => (roots / budget) ** 2,
      dearest: () => (roots === 0 ? 0 : null),
    }),
  }),
)
