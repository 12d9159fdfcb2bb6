export {
  type CalendarMonth,
  calendarMonths,
  changeRateByMonth,
  type MonthChangeRate,
  type MonthOptions,
  sameMonthOverYears,
} from './calendar-months.js'
export {
  type ChangeRateBetween,
  changeRateBetween,
  type TimeSpan,
  watchedTime,
} from './change-rate-between.js'
export { compareEstimators } from './compare-estimators.js'
export { type ConsistentWindow, consistentWindows } from './consistent-windows.js'
export {
  type CountTrend,
  countTrend,
  type StretchCount,
  type TrendDirection,
} from './count-trend.js'
export {
  type DuaneCurve,
  type DuaneOptions,
  type DuaneTrend,
  duanePlot,
  duaneTrend,
} from './duane.js'
export {
  type ComparedWindow,
  type EstimatorComparison,
  type EstimatorScore,
  EstimatorTally,
} from './estimator-tally.js'
export { type FittedChangeRate, fittedChangeRate } from './fitted-change-rate.js'
export { type FollowedWindow, followWindow } from './follow-window.js'
export { type HoursOfWeek, hoursOfWeek } from './hours-of-week.js'
export { intuitiveTrend } from './intuitive.js'
export { changeRateAt, expectedUpdates, type PowerLaw, timeOfExpected } from './power-law.js'
export { type Intensity, meanUpdates, prUpdates } from './pr-updates.js'
export { type NextUpdate, type PredictOptions, predictNext } from './predict-next.js'
export { type ErrorMeasure, type PredictionError, predictionError } from './prediction-error.js'
export { type ReplayOptions, type ReplayResult, replayPrediction } from './replay-prediction.js'
export { shapeBounds } from './shape-bounds.js'
export type { FitOptions, TrendCurve, TrendEstimator } from './trend-curve.js'
export { type FittedWindow, type Trend, type TrendOptions, trendOf } from './trend-of.js'
export {
  laplaceTest,
  militaryHandbookTest,
  type TrendTest,
  type TrendTestOptions,
} from './trend-test.js'
export type { TrendVerdict } from './trend-verdict.js'
export {
  elapsedSince,
  type UpdateKind,
  type UpdatePoint,
  type UpdatePointOptions,
  type UpdateSeries,
  updatePoints,
} from './update-points.js'
export type { WaitOptions } from './wait-rule.js'
export {
  type WeibullCurve,
  type WeibullForm,
  type WeibullTrend,
  weibullForms,
  weibullTrend,
} from './weibull.js'
export type { FollowOutcome } from './window-follower.js'
export {
  paperThreshold,
  type Threshold,
  type WindowOptions,
  type WindowState,
} from './window-rule.js'
