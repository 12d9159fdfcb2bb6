/**
 * Roots, special functions, seeded random numbers, and the change laws that planner and lab share. Uses nothing.
 */
export { Random } from './random.js'
export { bisect } from './root.js'
export { gammaQ, gammaQuantile, logGamma } from './special-functions.js'
export { fitLine, mean, median, quantile, variance } from './summary.js'
