import type { Promises } from '../../../planner/index.js'
import type { BudgetPlan } from '../../../schedule/index.js'

/** What no budget moves. */
export interface Unmoved {
  /** Requests a day of pages that have policies of their own. */
  readonly ownRequestsPerDay: number
  /** Pages on the default that limits hold at their shortest or longest gap. */
  readonly atLimits: number
}

/** A plan, and what it was worked out on. */
export interface MadePlan extends BudgetPlan, Unmoved {
  /** Requests a day that were to be planned. */
  readonly budget: number
  /** Pages that were read; where fewer than `pages`, the counts are estimates from them. */
  readonly counted: number
  /** Pages that were never seen: what is foretold of them is the prior's. */
  readonly unseen: number
  /** Pages with policies of their own, which no budget moves. */
  readonly ownPolicies: number
  /** What was promised to single pages, and what to say where that is more than the budget leaves. */
  readonly promises: Promises
  readonly warning: string | null
}
