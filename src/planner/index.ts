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
export {
  GuaranteeCount,
  type GuaranteedPage,
  type Guarantees,
  guaranteeWarning,
  scaledGuarantees,
  sharesWith,
} from './budget/guarantees.js'
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
export { estimatedPeriod, knownPeriod, learnedPeriod } from './change-period.js'
export {
  type Budget,
  budgetInForce,
  budgetSetting,
  chosenRequests,
  keptBudget,
  ledgerSetting,
  requestsOf,
} from './collection/budget.js'
export { CollectionController, type ControllerParts } from './collection/collection-controller.js'
export type { ExpectedVisits } from './collection/expected-visits.js'
export {
  freshWithFixedGap,
  ownEstimate,
  type PagePosterior,
  pagePosterior,
  staleByNow,
} from './collection/page-posterior.js'
export { AutoPlanners, type AutoPlannersOptions, groupOf } from './collection/planners.js'
export {
  isKeptOnly,
  movesPlan,
  noLongerWatched,
  PagePlans,
  type PagePlansParts,
  reasonByHand,
} from './collection/replan.js'
export { comparisonsSetting, priorSetting, storedPrior } from './collection/scan.js'
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
  noSiteSignal,
  proof,
  type SignalRecord,
  type SiteSignal,
  scoutingGap,
  signalAfter,
  signalTime,
  signalWeight,
  siteSignalFrom,
  siteSignalJson,
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
  changeSignalOf,
  freshAfterSignal,
  freshByForecast,
  freshGivenHints,
  type HintForecast,
  hintForecastOf,
  hintWords,
  signalWords,
} from './evidence/hint-forecast.js'
export {
  type ListPolicyOptions,
  ListValues,
  listPolicy,
  listsSetting,
  pollGap,
  signalValue,
} from './evidence/list-value.js'
export { withHints } from './evidence/with-hints.js'
export { packState, plannerName, stateFrom, stateSummary, unpackState } from './learned-step.js'
export { type AutoPolicyOptions, autoPolicy } from './policy.js'
export {
  type AutoLearner,
  auto,
  autoLearner,
  autoWith,
  estimateIn,
  memoryOf,
} from './posterior/learner.js'
export {
  chanceOfChange,
  changeLawShape,
  type GroupChangeLaw,
  openChangeLaw,
  ownClock,
  posteriorBounds,
  posteriorPeriods,
  posteriorQuantile,
  posteriorRate,
} from './posterior/posterior.js'
export { defaultChangeLaw, defaultPrior } from './prior/default-prior.js'
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
  changeLawOfEntry,
  changeLawOfGroup,
  entryOfChangeLaw,
  type GroupEntry,
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
  PageState,
  type Planner,
  type Publishers,
  proceed,
  reconsider,
  resume,
  type Step,
  step,
} from './step.js'
export { type BestGap, bestGap, type GapProblem, paysOnSignal } from './value/best-gap.js'
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
  type SignalCycle,
  type Stretch,
  signalCycle,
  timeBetween,
} from './value/planned-page.js'
export { type LawValues, lawValues, type WeekValues, weekValues } from './value/value-of-time.js'
