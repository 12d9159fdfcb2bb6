import type { PageColumns, VisitLaw } from './allocation.js'

/** A page's change rate and the visit rate allotted to it. */
export interface VisitedPage {
  readonly changeRate: number
  readonly visitRate: number
}

/**
 * Share of time that the copy of a page is fresh under evenly spaced visits:
 * (1 - e^-x) / x, with x changes expected between two visits. Poisson changes.
 * A page that never changes is always fresh; one that does and is never
 * visited, never.
 *
 * Cho & Garcia-Molina 2003, Effective page refresh policies for Web crawlers.
 */
export function evenFreshness({ changeRate, visitRate }: VisitedPage): number {
  if (changeRate === 0) return 1
  const x = changeRate / visitRate
  if (x === 0) return 1
  return x === Infinity ? 0 : -Math.expm1(-x) / x
}

/**
 * The same for visits at random moments (a Poisson process of visits): the
 * share r / (r + D). Azar et al. 2018, Tractable near-optimal policies for crawling.
 */
export function poissonFreshness({ changeRate, visitRate }: VisitedPage): number {
  return changeRate === 0 ? 1 : visitRate / (visitRate + changeRate)
}

/** Weighted mean freshness of a collection; 1 where no page has weight. O(n). */
export function predictedFreshness(
  pages: PageColumns,
  { visitRates, visits }: { visitRates: Float64Array; visits: VisitLaw },
): number {
  const { changeRates, weights } = pages
  const law = visits === 'even' ? evenFreshness : poissonFreshness
  let fresh = 0
  let total = 0
  for (let i = 0; i < changeRates.length; i++) {
    const weight = weights === undefined ? 1 : weights[i]!
    fresh += weight * law({ changeRate: changeRates[i]!, visitRate: visitRates[i]! })
    total += weight
  }
  return total === 0 ? 1 : fresh / total
}
