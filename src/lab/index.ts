/**
 * Change processes, simulated studies, `evaluate/` on recorded histories. Uses model, numeric, estimators, policies and planner; runs in a browser.
 */
export {
  type CollectionOptions,
  type RecordedFrom,
  type ReplayCollection,
  replayCollection,
} from './evaluate/collection.js'
export { type Contender, clairvoyant, type Outcome, type Trial } from './evaluate/contender.js'
export { autoContender } from './evaluate/contenders.js'
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
export type { CalibrationFound, Measures } from './evaluate/measures.js'
export { type OwnPage, type OwnPolicy, ownContender } from './evaluate/own-policy.js'
export {
  PageCalibration,
  PageReplay,
  type PageScores,
  type PlannerFor,
  type RuleOptions,
  type RunOptions,
} from './evaluate/policy-replay.js'
export {
  type CostRow,
  type HintStudyOptions,
  hintCosts,
  hintReliabilities,
  type ReliabilityRow,
} from './hints-study/hint-study.js'
export {
  type HintUse,
  hearings,
  type SiteStudyOptions,
  siteStudy,
  siteStudyAt,
} from './hints-study/site-study.js'
export type { ChangeProcess, Timeline } from './process/change-process.js'
export {
  constantGaps,
  latticeGaps,
  type Phase,
  paretoGaps,
  uniformGaps,
  weibullGaps,
} from './process/gap-laws.js'
export {
  hourOfWeek,
  type PowerLawTrendOptions,
  workingWeek,
} from './process/inhomogeneous-poisson.js'
export type { ParameterValues, ProcessKind } from './process/parameters.js'
export { poisson } from './process/poisson.js'
export { type EquilibriumStart, type GapLaw, renewal } from './process/renewal.js'
export { type ReplayOptions, replay } from './process/replay.js'
export { Scores } from './scores.js'
export { type ExactMomentsState, RunningMoments } from './statistics/moments.js'
export {
  boundsCoverage,
  type CalibrationKind,
  type CalibrationOptions,
  calibrationKinds,
  predictedFreshness,
} from './study/calibration.js'
export { runStudy, type StudyEffort } from './study/run-study.js'
export {
  type AgeReporter,
  reportsNothing,
  reportsTruth,
  type VisitLoop,
  visitPage,
} from './visit-loop.js'
