/** What a budget is foretold to bring. */
export interface PlanPoint {
  readonly requestsPerDay: number
  /** Requests a page and day. */
  readonly perPage: number
  /** Share of the time in which copies are fresh, weighted by importance. */
  readonly freshness: number
  /** What a request costs then, in seconds of freshness. */
  readonly price: number
}

/** What one host gets of the budget. */
export interface HostPlan {
  readonly host: string
  readonly pages: number
  readonly requestsPerDay: number
  readonly freshness: number
}

export interface BudgetPlan {
  /** Pages of the collection, and how many of them the plan was worked out on. */
  readonly pages: number
  readonly sampled: number
  /** At the budget, and with a fifth fewer or more requests. */
  readonly now: PlanPoint
  readonly fewer: PlanPoint
  readonly more: PlanPoint
  /** From few requests to many. */
  readonly curve: readonly PlanPoint[]
  /** By requests, most first. */
  readonly hosts: readonly HostPlan[]
}
