export { type AllocatedOptions, runAllocated } from './evaluate/allocated.js'
export { type Beliefs, learnedBeliefs, trueBeliefs } from './evaluate/beliefs.js'
export { stretchForBudget } from './evaluate/budget-stretch.js'
export { clairvoyant } from './evaluate/clairvoyant.js'
export {
  type CollectionOptions,
  type ReplayCollection,
  replayCollection,
} from './evaluate/collection.js'
export { PageReplay } from './evaluate/page-replay.js'
export {
  type MindFor,
  type PageScores,
  type RunOptions,
  runRule,
  visitsAllowed,
  visitsUsed,
} from './evaluate/rule.js'
export {
  type LastModifiedKind,
  lastModifiedKinds,
  lastModifiedOf,
} from './last-modified.js'
export * from './process/index.js'
export { Scores } from './scores.js'
export * from './statistics/index.js'
export {
  type AgeTeller,
  tellsNothing,
  tellsTruth,
  type VisitLoop,
  visitPage,
} from './visit-loop.js'
