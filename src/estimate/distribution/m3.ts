import { atEqualGaps } from './at-equal-gaps.js'
import { countOf } from './runs.js'

/**
 * M3: the distribution of times between seen changes, in whole gaps. Commonly
 * taken for the law of update gaps; it is so only for Poisson changes or
 * endlessly fast visits, for a gap hides all changes but one. Its tail at n
 * gaps tends to (G((n+1) Delta) - G(n Delta)) / G(Delta). O(n).
 *
 * Li, Cline & Loguinov 2015, eqs 16 to 18. Eq. 17 as printed compares r_k, a
 * count, with the time T, and counts a run that ends after T: read here as
 * r_(k+1) Delta <= T, so only runs that ended are counted.
 */
export const m3 = atEqualGaps({
  name: 'm3',
  summary: 'Times between seen changes at equal gaps; right only for Poisson changes.',
  target: () => ({
    law: 'neither',
    biased:
      'its tail lies between those of update gaps and of content ages: a gap hides all changes but one',
    unbiasedWhen:
      'changes are Poisson, or the gap is endlessly short (gives F_U) or long (gives G_U)',
  }),
  count: ({ complete }) => ({ counts: countOf(complete), total: complete.length }),
})
