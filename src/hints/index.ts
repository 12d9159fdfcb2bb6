/**
 * What publishers say of their changes: read from answers and lists, weighed by what came true, given to the planner. Uses model, formats, content and planner.
 */
export { answerHints, cacheLifetime, changeFrequencyTag } from './answer-hints.js'
export { heardObservation } from './hints-after-visit.js'
export {
  entryHints,
  type ListEntry,
  listEntries,
  namedPace,
  type PageList,
} from './list-entries.js'
export { dueByNews, type News, newsIn, taken, type Waiting, withNews } from './list-signals.js'
export {
  type Foretold,
  foretold,
  foretoldByLastModified,
  isBelieved,
  judged,
  noTally,
  reliabilityOf,
  type Stretch,
} from './reliability.js'
export {
  hostHintsFrom,
  hostHintsJson,
  noHints,
  noHostHints,
  pageHintsFrom,
  pageHintsJson,
} from './stored-hints.js'
export {
  declaredIn,
  type Heard,
  type HintedVisit,
  heardHints,
  hintsView,
  keptView,
  weighedHints,
} from './weighed-hints.js'
