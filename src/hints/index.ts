/**
 * What publishers say of their changes: read from answers and lists, weighed by what came true, given to the planner. Uses model, formats, content and planner.
 */

export { answerHints } from './answer-hints.js'
export { entryHints, listEntries, type PageList } from './list-entries.js'
export { type HintedVisit, type HintState, updatedHints, weighedHints } from './weighed-hints.js'
