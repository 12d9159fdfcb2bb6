/**
 * From a History to an Estimate: `rate/`, the whole distribution of update gaps in `law/`, rates that vary in time in `trend/`, priors for new pages in `prior/`.
 * Uses model and numeric. A new estimator: a file in `rate/`, and a line in planner/registry.ts.
 */
export {
  type Ageing,
  type AgeingTest,
  type AgeingTestOptions,
  ageingMeaning,
  ageingOfHistory,
  hollanderProschan,
} from './law/ageing.js'
export { type BandOptions, type Bands, bands, boundsAt, lawBands } from './law/bands.js'
export { concaveLaw } from './law/concave-law.js'
export {
  type Cdf,
  cdfAt,
  type DistributionCurve,
  type DistributionEstimate,
  type DistributionMethod,
  type DistributionOptions,
  type DistributionVerdict,
  kolmogorovSmirnov,
  stepCurve,
  type Target,
  weightedRelativeDifference,
} from './law/distribution.js'
export {
  centredSlope,
  type FlatRegion,
  fivePointLaw,
  flatRegion,
  forwardSlope,
  type Trial,
} from './law/five-point-law.js'
export { m1, m2 } from './law/m1-m2.js'
export { gM4, m3, m4, m5, m5Runs } from './law/m3-m5.js'
export { m6, m6Bins, type PairBins } from './law/m6.js'
export { distributionMethods } from './law/methods.js'
export { type PhaseLock, phaseLock } from './law/phase-lock.js'
export {
  chanceFresh,
  chanceFreshAtAge,
  type Spacing,
  staleness,
  updatesBehind,
  type VisitsNeeded,
  visitsForStaleness,
} from './law/staleness.js'
export type { Stretch, Stretches } from './law/stretches.js'
export { type UpdateLaw, updateGapCdf } from './law/update-law.js'
export { nearPoisson, type WeibullGaps, weibullGaps } from './law/weibull-gaps.js'
export {
  type EmpiricalPrior,
  type EmpiricalPriorOptions,
  empiricalPrior,
  type PeriodHistogram,
  periodHistogram,
} from './prior/empirical-prior.js'
export {
  type GridPrior,
  gridPrior,
  hourlyGrid,
  logGrid,
  logUniformPrior,
  periodQuantile,
  type Summary,
  typicalPeriod,
} from './prior/grid-prior.js'
export {
  bestFirstGap,
  type FirstGapCurve,
  type FirstGapOptions,
  type FirstGapPoint,
  type Growing,
  GrowingMle,
  GrowingPosterior,
  type NewPageOptions,
  newPageDeviation,
  newPageErrors,
} from './prior/new-pages.js'
export {
  EqualGapTally,
  type PredictiveFit,
  predictivePseudoGaps,
} from './prior/predictive-pseudo-gaps.js'
export {
  changeRateVariation,
  type FitPseudoGapsOptions,
  fitPseudoGaps,
  type PseudoGapFit,
  type PseudoGapReading,
  pseudoGapPrior,
  pseudoGapReach,
  pseudoGapVariation,
} from './prior/pseudo-gaps.js'
export { biasReduced, biasReducedLearner } from './rate/bias-reduced.js'
export {
  detectionGap,
  detectionGapLearner,
  detectionGapUncorrected,
  detectionGapUncorrectedLearner,
  detectionGapWith,
} from './rate/detection-gap.js'
export { evidenceOf } from './rate/evidence.js'
export { intuitive, intuitiveLearner } from './rate/intuitive.js'
export {
  irregularMle,
  irregularMleLearner,
  irregularMleWith,
  type PseudoGaps,
} from './rate/irregular-mle.js'
export { lastModified, lastModifiedLearner } from './rate/last-modified.js'
export { malcolmArmitageLearner } from './rate/malcolm-armitage.js'
export { meanContentAge, meanContentAgeLearner } from './rate/mean-content-age.js'
export {
  type OnlineForm,
  type OnlineOptions,
  type OnlineState,
  online,
  onlineLearner,
  onlineRate,
  onlineStart,
  onlineStep,
  onlineWith,
} from './rate/online.js'
export { type PosteriorOptions, posterior, posteriorOf, posteriorWith } from './rate/posterior.js'
export {
  cheapestGap,
  type ObservedKind,
  type Sampling,
  samplingError,
  visitsNeeded,
} from './rate/sampling-plan.js'
export {
  type CalendarMonth,
  type ChangeRateBetween,
  calendarMonths,
  changeRateBetween,
  changeRateByMonth,
  type MonthChangeRate,
  type MonthOptions,
  sameMonthOverYears,
  type TimeSpan,
  watchedTime,
} from './trend/change-rate-between.js'
export {
  type ComparedWindow,
  compareEstimators,
  type ErrorMeasure,
  type EstimatorComparison,
  type EstimatorScore,
  EstimatorTally,
  type PredictionError,
  predictionError,
} from './trend/compare-estimators.js'
export { type ConsistentWindow, consistentWindows } from './trend/consistent-windows.js'
export {
  type DuaneCurve,
  type DuaneOptions,
  type DuaneTrend,
  duanePlot,
  duaneTrend,
} from './trend/duane.js'
export { type HoursOfWeek, hoursOfWeek } from './trend/hours-of-week.js'
export { intuitiveTrend } from './trend/intuitive.js'
export {
  type NextUpdate,
  type PredictOptions,
  predictNext,
  type WaitOptions,
} from './trend/predict-next.js'
export {
  type FollowOutcome,
  type ReplayOptions,
  type ReplayResult,
  replayPrediction,
} from './trend/replay-prediction.js'
export {
  changeRateAt,
  expectedUpdates,
  type FitOptions,
  type PowerLaw,
  type TrendCurve,
  type TrendEstimator,
  type TrendVerdict,
  timeOfExpected,
} from './trend/trend-curve.js'
export { type FittedWindow, type Trend, type TrendOptions, trendOf } from './trend/trend-of.js'
export {
  type CountTrend,
  countTrend,
  laplaceTest,
  militaryHandbookTest,
  type StretchCount,
  type TrendDirection,
  type TrendTest,
  type TrendTestOptions,
} from './trend/trend-test.js'
export {
  elapsedSince,
  type UpdateKind,
  type UpdatePoint,
  type UpdatePointOptions,
  type UpdateSeries,
  updatePoints,
} from './trend/update-points.js'
export {
  shapeBounds,
  type WeibullCurve,
  type WeibullForm,
  type WeibullTrend,
  weibullForms,
  weibullTrend,
} from './trend/weibull.js'
export { consistentWindowLearner, type WindowLearnerOptions } from './trend/window-learner.js'
export {
  paperThreshold,
  type Threshold,
  type WindowOptions,
  type WindowState,
} from './trend/window-rule.js'
