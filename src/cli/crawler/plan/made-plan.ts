import type { BudgetPlan } from '../../../schedule/index.js'

/** A plan, and what it was worked out on. */
export interface MadePlan extends BudgetPlan {
  /** Pages that were never seen: what is foretold of them is the prior's. */
  readonly unseen: number
}
