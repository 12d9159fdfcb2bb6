/**
 * Published rules for the next visit, limits and hours, and `allocation/` of a budget over pages. Uses model, numeric and estimators.
 */
export type {
  AllocateOptions,
  Allocation,
  Allotment,
  PageColumns,
} from './allocation/allocation.js'
export { azar, harmonic } from './allocation/closed-form.js'
export { optimalFreshness } from './allocation/optimal-freshness.js'
export { proportional } from './allocation/proportional.js'
export { barrelPolicy, barrels } from './barrels.js'
export { nutch, stormCrawler } from './crawlers.js'
export { fixed, typicalCrawler } from './fixed-and-random.js'
export { type GrimesFordOptions, grimesFord } from './grimes-ford.js'
export { type GapLimits, limited, usualLimits } from './limits.js'
export {
  type Listing1Options,
  type Listing2Options,
  malcolmArmitage,
  malcolmArmitage1,
  malcolmArmitage2,
} from './malcolm-armitage.js'
export { type SinghOptions, singh } from './singh.js'
