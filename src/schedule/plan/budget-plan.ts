import { BudgetPlanner, type PlannerOptions } from './budget-planner.js'
import type { PlanPage } from './plan-page.js'
import type { BudgetPlan } from './plan-records.js'

export interface PlanOptions extends PlannerOptions {
  /** The budget of the whole collection. */
  readonly requestsPerDay: number
}

/** The whole plan at once, for who need not do anything else meanwhile; see `BudgetPlanner`. */
export function budgetPlan(
  pages: readonly PlanPage[],
  { requestsPerDay, ...options }: PlanOptions,
): BudgetPlan {
  const work = new BudgetPlanner(pages, options).plan(requestsPerDay)
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
