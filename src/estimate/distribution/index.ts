export { type Ageing, type AgeingTest, ageingMeaning } from './ageing.js'
export { type AgeingTestOptions, ageingOfHistory, hollanderProschan } from './ageing-tests.js'
export { type BandOptions, bands, lawBands } from './bands.js'
export type { Bands } from './bootstrap-bands.js'
export { boundsAt } from './bounds-at.js'
export { concaveLaw } from './concave-law.js'
export { chanceFresh, chanceFreshAtAge, updatesBehind } from './copy-outlook.js'
export { cdfAt, stepCurve } from './curves.js'
export { type Cdf, kolmogorovSmirnov, weightedRelativeDifference } from './distances.js'
export type {
  DistributionCurve,
  DistributionEstimate,
  DistributionMethod,
  DistributionOptions,
  DistributionVerdict,
  Target,
} from './distribution-estimate.js'
export { centredSlope, forwardSlope } from './five-point.js'
export { fivePointLaw } from './five-point-law.js'
export { type FlatRegion, flatRegion, type Trial } from './flat-region.js'
export { gM4 } from './g-m4.js'
export { m1 } from './m1.js'
export { m2 } from './m2.js'
export { m3 } from './m3.js'
export { m4 } from './m4.js'
export { m5, m5Runs } from './m5.js'
export { m6, m6Bins } from './m6.js'
export { distributionMethods } from './methods.js'
export type { PairBins } from './pair-bins.js'
export { type PhaseLock, phaseLock } from './phase-lock.js'
export { type Spacing, staleness, type VisitsNeeded, visitsForStaleness } from './staleness.js'
export type { Stretch, Stretches } from './stretches.js'
export { type UpdateLaw, updateGapCdf } from './update-law.js'
export { nearPoisson, type WeibullGaps, weibullGaps } from './weibull-gaps.js'
