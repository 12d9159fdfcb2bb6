import { deviance, stirlingError } from './gamma.js'

/**
 * Chance that a Poisson variable with this mean equals the whole number
 * `count`, by the saddle-point form: full precision even for counts of
 * billions, where k ln(mean) - mean - ln k! loses its digits. O(1).
 *
 * Loader 2000, Fast and Accurate Computation of Binomial Probabilities.
 */
export function poissonProbability(count: number, { mean }: { readonly mean: number }): number {
  if (!(count >= 0) || !Number.isInteger(count) || !(mean >= 0) || mean === Infinity) return 0
  if (mean === 0) return count === 0 ? 1 : 0
  if (count === 0) return Math.exp(-mean)
  const log = -stirlingError(count) - deviance(count, { mean })
  return Math.exp(log) / Math.sqrt(2 * Math.PI * count)
}
