/**
 * From a History to an Estimate: `rate/`, the whole distribution of update gaps in `law/`, rates that vary in time in `trend/`, priors for new pages in `prior/`.
 * Uses model and numeric. A new estimator: a file in `rate/`, and a line in planner/registry.ts.
 */
export { type Ageing, ageingOfHistory } from './law/ageing.js'
export { concaveLaw } from './law/concave-law.js'
export {
  cdfAt,
  type DistributionCurve,
  type DistributionEstimate,
  type DistributionMethod,
  type DistributionOptions,
  kolmogorovSmirnov,
  type PairBins,
  type Target,
  weightedRelativeDifference,
} from './law/distribution.js'
export { fivePointLaw, forwardSlope } from './law/five-point-law.js'
export { m1, m2 } from './law/m1-m2.js'
export { gM4, m3, m4, m5, m5Runs } from './law/m3-m5.js'
export { m6, m6Bins } from './law/m6.js'
export { distributionMethods } from './law/methods.js'
export { pageLaw } from './law/page-law.js'
export { phaseLock } from './law/phase-lock.js'
export { resampled } from './law/resampled.js'
export { staleness } from './law/staleness.js'
export type { Stretches } from './law/stretches.js'
export { type UpdateLaw, updateGapCdf } from './law/update-law.js'
export { type EmpiricalPrior, empiricalPrior, periodHistogram } from './prior/empirical-prior.js'
export { type GridPrior, gridPrior, hourlyGrid, logGrid } from './prior/grid-prior.js'
export {
  bestFirstGap,
  type FirstGapCurve,
  type Growing,
  GrowingMle,
  GrowingPosterior,
  newPageDeviation,
} from './prior/new-pages.js'
export { fitPseudoGaps, type PseudoGapFit, pseudoGapPrior } from './prior/pseudo-gaps.js'
export { biasReduced } from './rate/bias-reduced.js'
export {
  detectionGap,
  detectionGapLearner,
  detectionGapUncorrected,
  detectionGapWith,
} from './rate/detection-gap.js'
export { intuitive } from './rate/intuitive.js'
export { irregularMle, irregularMleWith, type PseudoGaps } from './rate/irregular-mle.js'
export { lastModified } from './rate/last-modified.js'
export { malcolmArmitageLearner } from './rate/malcolm-armitage.js'
export { meanContentAge } from './rate/mean-content-age.js'
export { type OnlineOptions, online, onlineWith } from './rate/online.js'
export { type PosteriorOptions, posterior, posteriorWith } from './rate/posterior.js'
export { type Sampling, samplingError } from './rate/sampling-plan.js'
export { changeRateByMonth } from './trend/change-rate-between.js'
export {
  compareEstimators,
  type ErrorMeasure,
  type EstimatorComparison,
  type EstimatorScore,
  EstimatorTally,
} from './trend/compare-estimators.js'
export { consistentWindows } from './trend/consistent-windows.js'
export { duaneTrend } from './trend/duane.js'
export { hoursOfWeek } from './trend/hours-of-week.js'
export { intuitiveTrend } from './trend/intuitive.js'
export { type NextUpdate, predictNext } from './trend/predict-next.js'
export { replayPrediction } from './trend/replay-prediction.js'
export type { TrendEstimator } from './trend/trend-curve.js'
export { type Trend, type TrendOptions, trendOf } from './trend/trend-of.js'
export type { UpdateSeries } from './trend/update-points.js'
export { type WeibullForm, weibullTrend } from './trend/weibull.js'
export { paperThreshold, type WindowOptions } from './trend/window-rule.js'
