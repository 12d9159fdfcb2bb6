/**
 * What publishers say of their changes: read from answers and lists, weighed by what came true, given to the planner. Uses model, formats, content and planner.
 */

export { answerHints, cacheLifetime, changeFrequencyTag } from './answer-hints.js'
export { adjustedObservation } from './hints-after-visit.js'
export {
  entryHints,
  type ListEntry,
  listEntries,
  namedFrequency,
  type PageList,
} from './list-entries.js'
export { type ListSignal, taken, withListSignal } from './list-signals.js'
export {
  type HintPrediction,
  isTrusted,
  judged,
  predicted,
  predictedByLastModified,
  reliabilityOf,
  type Stretch,
} from './reliability.js'
export {
  declaredIn,
  type HintedVisit,
  type HintState,
  hintsView,
  updatedHints,
  weighedHints,
} from './weighed-hints.js'
