/**
 * Change processes, simulated studies, `evaluate/` on recorded histories. Uses model, numeric, estimators, policies and planner; runs in a browser.
 */
export {
  type AllocatedOptions,
  learnedRates,
  type RateEstimates,
  runAllocated,
  type Share,
  trueRates,
} from './evaluate/allocation-replay.js'
export { type AutoOptions, AutoReplay, runAuto } from './evaluate/auto-replay.js'
export {
  type CollectionOptions,
  type RecordedFrom,
  type ReplayCollection,
  recordedFrom,
  replayCollection,
  spreadBack,
  subCollection,
} from './evaluate/collection.js'
export {
  budgetContender,
  type Contender,
  clairvoyant,
  clairvoyantContender,
  declaredByPublisher,
  type Outcome,
  ruleContender,
  sharingContender,
  type Trial,
} from './evaluate/contender.js'
export {
  autoContender,
  contenders,
  listing1Contender,
  otherObjectives,
} from './evaluate/contenders.js'
export {
  type EvaluateOptions,
  type EvaluationRow,
  evaluate,
  evaluateParts,
  type MeanRow,
  type MeanSourceRow,
  meanRows,
  type SourceRow,
  type Spread,
} from './evaluate/evaluate.js'
export { changeLawsElsewhere } from './evaluate/leave-one-out-priors.js'
export type { CalibrationFound, Measures } from './evaluate/measures.js'
export { type OwnPage, type OwnPolicy, ownContender } from './evaluate/own-policy.js'
export {
  boundsAfter,
  PageCalibration,
  PageReplay,
  type PageScores,
  type PlannerFor,
  type RuleOptions,
  type RunOptions,
  runRule,
  stretchForBudget,
  trueMeanRate,
  visitsAllowed,
  visitsUsed,
} from './evaluate/policy-replay.js'
export { type PredictionRow, predictionScores } from './evaluate/prediction-scores.js'
export {
  type CostRow,
  type HintStudyOptions,
  hintCosts,
  hintReliabilities,
  type ReliabilityRow,
} from './hints-study/hint-study.js'
export { type Publisher, publishers } from './hints-study/publisher.js'
export {
  type HintUse,
  hearings,
  type SiteStudyOptions,
  siteStudy,
  siteStudyAt,
} from './hints-study/site-study.js'
export { ChangeLog, type ChangeLogOptions } from './process/change-log.js'
export { type ChangePointOptions, changePoint } from './process/change-point.js'
export type { ChangeProcess, Timeline } from './process/change-process.js'
export {
  constantGaps,
  gammaGaps,
  hyperexponentialGaps,
  latticeGaps,
  type Phase,
  paretoGaps,
  uniformGaps,
  weibullGaps,
} from './process/gap-laws.js'
export {
  hourOfWeek,
  type PowerLawTrendOptions,
  powerLawTrend,
  workingWeek,
} from './process/inhomogeneous-poisson.js'
export type { ParameterValues, ProcessKind } from './process/parameters.js'
export { poisson } from './process/poisson.js'
export { changeProcess, processes } from './process/registry.js'
export { type EquilibriumStart, type GapLaw, renewal } from './process/renewal.js'
export { type ReplayOptions, replay } from './process/replay.js'
export { Scores } from './scores.js'
export { ExactRatio, type ExactRatioState } from './statistics/exact-ratio.js'
export { ExactMoments, type ExactMomentsState, RunningMoments } from './statistics/moments.js'
export {
  QuantileSketch,
  type QuantileSketchState,
  type SketchedQuantile,
} from './statistics/quantile-sketch.js'
export {
  boundsCoverage,
  type CalibrationKind,
  type CalibrationOptions,
  calibrationKinds,
  predictedFreshness,
} from './study/calibration.js'
export { type LastModifiedKind, lastModifiedKinds, lastModifiedOf } from './study/last-modified.js'
export { runStudy, type StudyEffort, studyEffort } from './study/run-study.js'
export { type Study, type StudyPages, type StudySpec, studyOf } from './study/study.js'
export {
  type EstimateQuality,
  type Measured,
  type StudyResult,
  StudyTally,
  type StudyTallyState,
  studyResult,
} from './study/study-result.js'
export { type RunStudiesOptions, runStudies } from './study/study-threads.js'
export {
  type AgeReporter,
  reportsNothing,
  reportsTruth,
  type VisitLoop,
  visitPage,
} from './visit-loop.js'
