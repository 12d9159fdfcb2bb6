export { budgetPlan, type PlanOptions } from './budget-plan.js'
export { BudgetPlanner, type PlannerOptions, type Sliced } from './budget-planner.js'
export { freshShare, type Stretch, type ToldCycle, toldCycle } from './fresh-share.js'
export {
  freshAtGap,
  gapAtPrice,
  importanceStep,
  type Listed,
  type PlanPage,
  type PlanProblem,
  timeBetween,
} from './plan-page.js'
export type { BudgetPlan, HostPlan, PlanPoint } from './plan-records.js'
export {
  type BudgetSearch,
  overTheWeek,
  priceForBudget,
  visitsAtPrice,
} from './price-for-budget.js'
export {
  objectiveOf,
  type Prices,
  pricesBeside,
  pricesForBudget,
  visitsAtPrices,
} from './prices-by-objective.js'
