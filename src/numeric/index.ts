export { type Annealed, type AnnealOptions, anneal } from './anneal.js'
export { ExactSum, productError } from './exact-sum.js'
export { expIntegral, scaledExpIntegral } from './exponential-integral.js'
export { chiSquareQuantile, gammaP, gammaQ, gammaQuantile, logGamma } from './gamma.js'
export { isotonic, leastConcaveMajorant } from './isotonic.js'
export { lambertW } from './lambert-w.js'
export { fitLine } from './line.js'
export { erfc, normalQuantile, normalTail } from './normal.js'
export { poissonProbability } from './poisson.js'
export { poissonCount } from './poisson-count.js'
export { Random } from './random.js'
export { bisect, brent } from './root.js'
export { mean, median, quantile, quantileSorted, sum, variance } from './summary.js'
export { type TwoPaceLaws, twoPaceLaws } from './two-pace-laws.js'
export {
  calmerClock,
  flatClock,
  type WeekClock,
  weekClock,
  weekGap,
  weekTime,
} from './week-clock.js'
