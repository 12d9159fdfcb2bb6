import { logGamma } from './gamma.js'

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

/** ln k! minus Stirling's approximation to it. */
function stirlingError(k: number): number {
  if (k < 16) return logGamma(k + 1) - (k + 0.5) * Math.log(k) + k - 0.5 * Math.log(2 * Math.PI)
  const square = 1 / (k * k)
  const tail = 1 / 1260 - (1 / 1680 - square / 1188) * square
  return (1 / 12 - (1 / 360 - tail * square) * square) / k
}

/** k ln(k / mean) + mean - k, by a series where k and mean are close and the terms cancel. */
function deviance(k: number, { mean }: { mean: number }): number {
  const apart = k - mean
  if (Math.abs(apart) >= 0.1 * (k + mean)) return k * (Math.log(k) - Math.log(mean)) + mean - k
  const v = apart / (k + mean)
  let sum = apart * v
  let term = 2 * k * v
  for (let j = 1; j < 100; j++) {
    term *= v * v
    const next = sum + term / (2 * j + 1)
    if (next === sum) break
    sum = next
  }
  return sum
}
