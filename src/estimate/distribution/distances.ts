import { cdfAt } from './curves.js'
import type { DistributionCurve } from './distribution-estimate.js'

/** A distribution function to compare with, such as a closed form. */
export type Cdf = (x: number) => number

/**
 * Kolmogorov-Smirnov: the largest distance between a curve and a distribution
 * function. Steps are compared on both sides of each step, lines at their
 * points only; `at` names other places. For M6 give the mean of the truth over
 * a bin, not its value at the end. Li, Cline & Loguinov 2015, eq. 24. O(n).
 */
export function kolmogorovSmirnov(
  curve: DistributionCurve,
  truth: Cdf,
  { at }: { at?: ArrayLike<number> } = {},
): number {
  let worst = 0
  if (at !== undefined) {
    for (let i = 0; i < at.length; i++)
      worst = Math.max(worst, Math.abs(cdfAt(curve, at[i]!) - truth(at[i]!)))
    return worst
  }
  curve.x.forEach((x, i) => {
    const expected = truth(x)
    worst = Math.max(worst, Math.abs(curve.cdf[i]! - expected))
    if (curve.shape === 'steps')
      worst = Math.max(worst, Math.abs((curve.cdf[i - 1] ?? 0) - expected))
  })
  return worst
}

/**
 * Weighted mean relative difference: the summed distance over the summed mean
 * of curve and truth, at the curve's x or at `at`. 0 where both are 0.
 * Li, Cline & Loguinov 2015, eq. 23. O(n).
 */
export function weightedRelativeDifference(
  curve: DistributionCurve,
  truth: Cdf,
  { at = curve.x }: { at?: ArrayLike<number> } = {},
): number {
  let apart = 0
  let both = 0
  for (let i = 0; i < at.length; i++) {
    const mine = cdfAt(curve, at[i]!)
    const expected = truth(at[i]!)
    apart += Math.abs(mine - expected)
    both += (mine + expected) / 2
  }
  return both > 0 ? apart / both : 0
}
