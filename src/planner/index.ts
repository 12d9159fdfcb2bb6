/**
 * The default, whole: `posterior/` of a page's change law, `prior/`, `value/` of a gap, `evidence/` of hints, `budget/` and price of a request, `collection/` controller; and every method by name, registry.ts.
 * Pure but for the Store contract. Uses model, numeric, estimators and policies.
 */
export {
  isApart,
  type Ledger,
  ledgerFrom,
  nextLedger,
  priceIn,
  type Shares,
  type Spending,
  sharesOf,
} from './budget/budget-controller.js'
export {
  type BudgetPlan,
  BudgetPlanner,
  budgetPlan,
  type HostPlan,
  type PlannerOptions,
  type PlanOptions,
  type PlanPoint,
  type Sliced,
} from './budget/budget-plan.js'
export { type PlanSample, planSample, type SampleParts } from './budget/plan-sample.js'
export {
  type BudgetSearch,
  objectiveOf,
  overTheWeek,
  type Prices,
  priceForBudget,
  pricesBeside,
  pricesForBudget,
  visitsAtPrice,
  visitsAtPrices,
} from './budget/price-for-budget.js'
export {
  PromiseCount,
  type PromisedPage,
  type Promises,
  promiseWarning,
  scaledPromises,
  sharesWith,
} from './budget/promises.js'
export { believedPeriod, estimatedPeriod, toldPeriod } from './change-period.js'
export {
  type Budget,
  budgetInForce,
  budgetSetting,
  chosenRequests,
  keptBudget,
  ledgerSetting,
  requestsOf,
} from './collection/budget.js'
export { Steward, type StewardParts } from './collection/collection-controller.js'
export type { ExpectedVisits } from './collection/expected-visits.js'
export {
  freshWithFixedGap,
  ownEstimate,
  type PageBelief,
  pageBelief,
  staleByNow,
} from './collection/page-posterior.js'
export { AutoMinds, type AutoMindsOptions, groupOf } from './collection/planners.js'
export {
  isKeptOnly,
  type KeeperParts,
  movesPlan,
  noLongerWatched,
  PageKeeper,
  reasonByHand,
} from './collection/replan.js'
export { lessonSetting, priorSetting, storedPrior } from './collection/scan.js'
export {
  callSiblings,
  isCalled,
  type NeighbourParts,
  Neighbours,
  type PlanParts,
  planAfter,
  type SiblingParts,
} from './collection/siblings.js'
export {
  type ComparedVisit,
  callsApart,
  mostCalled,
  type NewsRecord,
  newsAfter,
  newsTime,
  newsWeight,
  noSiteNews,
  proof,
  type SiteNews,
  scoutingGap,
  siteNewsFrom,
  siteNewsJson,
} from './collection/site-signals.js'
export {
  CollectionStatistics,
  type CountedPage,
  type CountedRecord,
  corrected,
  isElsewhere,
  isOutOfReach,
  isTimeToLearn,
  notAllAtOnce,
  type PredictedPage,
  runningGap,
  sampleStride,
  shortestOwnGap,
  type Waiting,
} from './collection/statistics.js'
export {
  type Foresight,
  foreseenFresh,
  foresightOf,
  freshAfterNews,
  heardFresh,
  hintWords,
  newsOf,
  newsWords,
} from './evidence/hint-forecast.js'
export {
  type ListPolicyOptions,
  ListWorths,
  listPolicy,
  listsSetting,
  lookGap,
  toldWorth,
} from './evidence/list-value.js'
export { withHints } from './evidence/with-hints.js'
export { mindName, packState, stateFrom, unpackState } from './learned-step.js'
export { type AutoPolicyOptions, autoPolicy } from './policy.js'
export {
  type AutoLearner,
  auto,
  autoLearner,
  autoWith,
  estimateIn,
  memoryOf,
} from './posterior/learner.js'
export { changesAt, observationsAt } from './posterior/likelihoods.js'
export {
  beliefSize,
  believe,
  believedBounds,
  believedPaces,
  believedQuantile,
  believedRate,
  chanceGivenHint,
  chanceOfChange,
  expectedFreshness,
  type GroupLaw,
  lawInWords,
  lawShape,
  openLaw,
  ownClock,
  priorBelief,
} from './posterior/posterior.js'
export { defaultLaw, defaultPrior } from './prior/default-prior.js'
export {
  type ClockOptions,
  clockFrom,
  fitWeekClock,
  GapLog,
  type HourTally,
  overDispersion,
  tallyHours,
} from './prior/fit-clock.js'
export {
  FirstGaps,
  type FitPriorOptions,
  fitAutoPrior,
  fitLaw,
  fitMasses,
  fitNewShare,
  lawRow,
  type MassOptions,
  mixedMasses,
  type NewShareOptions,
  type PriorPage,
} from './prior/fit-prior.js'
export {
  type AutoPrior,
  entryOfLaw,
  type GroupEntry,
  lawOfEntry,
  lawOfGroup,
  parseAutoPrior,
} from './prior/prior.js'
export { PriorLearner, type PriorLearnerOptions, StaleRecord } from './prior/prior-learner.js'
export {
  learnerNamed,
  learners,
  type PolicyKind,
  policyKinds,
  policyOf,
  rateEstimator,
  rateEstimators,
} from './registry.js'
export {
  begin,
  firstStep,
  type Mind,
  PageState,
  type Publishers,
  proceed,
  reconsider,
  resume,
  type Step,
  step,
} from './step.js'
export { type BestGap, bestGap, type GapProblem, isWorthOnNews } from './value/best-gap.js'
export {
  isObjective,
  type Objective,
  objectiveNamed,
  objectives,
  priceRanges,
  reward,
  usualPrices,
} from './value/objective.js'
export {
  freshAtGap,
  freshShare,
  gapAtPrice,
  importanceStep,
  type Listed,
  type PlanPage,
  type PlanProblem,
  type Stretch,
  type ToldCycle,
  timeBetween,
  toldCycle,
} from './value/planned-page.js'
export { type LawWorths, lawWorths, type WeekWorths, weekWorths } from './value/value-of-time.js'
