/**
 * The default, whole: `posterior/` of a page's change law, `prior/`, `value/` of a gap, `evidence/` of hints, `budget/` and price of a request, `collection/` controller; and every method by name, registry.ts.
 * Pure but for the Store contract. Uses model, numeric, estimators and policies.
 */
export {
  type BudgetPlan,
  BudgetPlanner,
  budgetPlan,
  type HostPlan,
  type PlannerOptions,
  type PlanOptions,
  type PlanPoint,
} from './budget/budget-plan.js'
export type { Budget } from './collection/budget.js'
export { type NeighbourParts, Neighbours } from './collection/siblings.js'
export { withHints } from './evidence/with-hints.js'
export { stateSummary } from './learned-step.js'
export { type AutoPolicyOptions, autoPolicy } from './policy.js'
export { type AutoLearner, auto, autoLearner } from './posterior/learner.js'
export { type GroupChangeLaw, openChangeLaw } from './posterior/posterior.js'
export { defaultChangeLaw } from './prior/default-prior.js'
export { type FitPriorOptions, fitAutoPrior, type PriorPage } from './prior/fit-prior.js'
export { learnerNamed, type PolicyKind, policyKinds, policyOf } from './registry.js'
export { firstStep, PageState, type Planner, type Publishers, type Step, step } from './step.js'
export { type BestGap, bestGap, type GapProblem } from './value/best-gap.js'
export type { PlanPage } from './value/planned-page.js'
