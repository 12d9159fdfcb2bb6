export { AutoMinds, type AutoMindsOptions } from './auto-minds.js'
export type { ExpectedVisits } from './expected-visits.js'
export { groupOf } from './group-learners.js'
export {
  type Budget,
  budgetInForce,
  budgetSetting,
  chosenRequests,
  keptBudget,
  requestsOf,
} from './kept-budget.js'
export { ListWorths, listsSetting } from './list-worths.js'
export { ownEstimate } from './own-estimate.js'
export { freshWithFixedGap, type PageBelief, pageBelief, staleByNow } from './page-belief.js'
export { type KeeperParts, PageKeeper } from './page-keeper.js'
export { type PlanSample, planSample, type SampleParts } from './plan-sample.js'
export { ledgerSetting } from './price-keeper.js'
export { lessonSetting, priorSetting, storedPrior } from './prior-keeper.js'
export { Steward } from './steward.js'
export type { StewardParts } from './steward-parts.js'
export { isKeptOnly, movesPlan, noLongerWatched, reasonByHand } from './waiting-page.js'
