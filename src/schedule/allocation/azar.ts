import type { Allocation } from './allocation.js'
import { closedLaw, type PricedPage } from './closed-law.js'
import { pricedAllocation } from './priced-allocation.js'

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
    visitRate: ({ worth, changeRate }: PricedPage) => Math.max(0, Math.sqrt(worth) - changeRate),
    slope: ({ worth, changeRate }: PricedPage) => {
      const root = Math.sqrt(worth)
      return root > changeRate ? -root / 2 : 0
    },
    search: ({ roots, changes, steepest }) => ({
      // Without the floor at 0 spending is linear in 1/sqrt(price): never too high a price.
      start: (budget) => (roots / (budget + changes)) ** 2,
      dearest: () => steepest,
    }),
  }),
)
