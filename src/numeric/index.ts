/**
 * Roots, special functions, seeded random numbers, and the change laws that planner and lab share. Uses nothing.
 */
export { type Annealed, type AnnealOptions, anneal } from './anneal.js'
export { ExactSum, productError } from './exact-sum.js'
export { type HyperexponentialLaws, hyperexponentialLaws } from './hyperexponential.js'
export { isotonic, leastConcaveMajorant } from './isotonic.js'
export { poissonCount, Random } from './random.js'
export { bisect, brent } from './root.js'
export {
  chiSquareQuantile,
  erfc,
  gammaP,
  gammaQ,
  gammaQuantile,
  logGamma,
  normalQuantile,
  normalTail,
} from './special-functions.js'
export { fitLine, mean, median, quantile, quantileSorted, sum, variance } from './summary.js'
export {
  flatClock,
  flatterClock,
  type WeekClock,
  weekClock,
  weekGap,
  weekTime,
} from './week-clock.js'
