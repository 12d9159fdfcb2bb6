export { type AllocatedOptions, runAllocated, type Share } from './allocated.js'
export { autoContender, otherObjectives } from './auto-contender.js'
export { type AutoOptions, AutoReplay, runAuto } from './auto-replay.js'
export { type Beliefs, learnedBeliefs, trueBeliefs } from './beliefs.js'
export { stretchForBudget } from './budget-stretch.js'
export { clairvoyant } from './clairvoyant.js'
export {
  type CollectionOptions,
  type ReplayCollection,
  replayCollection,
  spreadBack,
} from './collection.js'
export {
  budgetContender,
  type Contender,
  clairvoyantContender,
  declaredByPublisher,
  type Outcome,
  ruleContender,
  sharingContender,
  type Trial,
} from './contender.js'
export { contenders, listing1Contender } from './contenders.js'
export {
  type EvaluateOptions,
  type EvaluationRow,
  evaluate,
  evaluateParts,
  type SourceRow,
} from './evaluate.js'
export { lawsElsewhere } from './laws-elsewhere.js'
export { type MeanRow, type MeanSourceRow, meanRows, type Spread } from './mean-rows.js'
export type { CalibrationFound, Measures } from './measures.js'
export { type OwnPage, type OwnPolicy, ownContender } from './own-policy.js'
export { boundsAfter, PageCalibration, trueMeanRate } from './page-calibration.js'
export { PageReplay } from './page-replay.js'
export { type PredictionRow, predictionScores } from './prediction-scores.js'
export { type RecordedFrom, recordedFrom } from './recorded-from.js'
export {
  type MindFor,
  type PageScores,
  type RuleOptions,
  type RunOptions,
  runRule,
  visitsAllowed,
  visitsUsed,
} from './rule.js'
export { subCollection } from './sub-collection.js'
