/**
 * Roots, special functions, seeded random numbers, and the change laws that planner and lab share. Uses nothing.
 */
export { ExactSum } from './exact-sum.js'
export { type HyperexponentialLaws, hyperexponentialLaws } from './hyperexponential.js'
export { Random } from './random.js'
export { bisect, brent } from './root.js'
export { gammaQ, gammaQuantile, logGamma } from './special-functions.js'
export { fitLine, mean, median, quantile, sum, variance } from './summary.js'
export { flatClock, type WeekClock, weekClock } from './week-clock.js'
