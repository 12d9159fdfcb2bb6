export {
  type BudgetPlan,
  budgetPlan,
  type HostPlan,
  type PlanOptions,
  type PlanPoint,
} from './budget-plan.js'
export { freshShare, type Stretch } from './fresh-share.js'
export { gapAtPrice, importanceStep, type PlanPage, usualLimits } from './plan-page.js'
export {
  type BudgetSearch,
  overTheWeek,
  priceForBudget,
  visitsAtPrice,
} from './price-for-budget.js'
