export { Findings, type FindingsParts } from './findings.js'
export { type Foretold, foretold, foretoldByLastModified, type Stretch } from './foretold.js'
export {
  declaredIn,
  type Heard,
  type HintedVisit,
  heardHints,
  hintsView,
  keptView,
  weighedHints,
} from './heard-hints.js'
export { heardObservation } from './heard-observation.js'
export { isBelieved, judged, noTally, reliabilityOf } from './hint-tally.js'
export {
  hostHintsFrom,
  hostHintsJson,
  noHints,
  noHostHints,
  pageHintsFrom,
  pageHintsJson,
} from './kept-hints.js'
export { dueByNews, type News, newsIn, taken, type Waiting, withNews } from './list-news.js'
