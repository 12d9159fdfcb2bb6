/** What may be spent, and what it buys on this collection. */
export interface BudgetAnswer {
  /** Null where none is set. */
  readonly requestsPerDay: number | null
  readonly source: 'configuration' | 'set'
  /** What the configuration asks for, and what is never exceeded. */
  readonly configured: number | null
  readonly most: number | null
  /** Predicted freshness at the budget, and by the due times as they stand. */
  readonly predicted: number | null
  readonly standing: number | null
  readonly fewer: CurvePoint | null
  readonly more: CurvePoint | null
  /** In ascending order of requests. */
  readonly curve: readonly CurvePoint[]
  readonly hosts: readonly {
    readonly host: string
    readonly pages: number
    readonly requestsPerDay: number
    readonly freshness: number
  }[]
  /** Whether due times are being moved to a new budget. */
  readonly settling: boolean
  readonly pages: number
  readonly sampled: number
  readonly unseen: number
  readonly ownPolicies: number
  /** What longest gaps and policies of pages' own ask for; null where there are none. */
  readonly promises: {
    readonly pages: number
    readonly requestsPerDay: number
    readonly leastShare: number
    readonly spent: number
    readonly warning: string | null
  } | null
}

export interface CurvePoint {
  readonly requestsPerDay: number
  readonly freshness: number
}

/** Requests a day that a budget comes to: promises to single pages are kept, and leave the others a share. */
export function spentAt({ promises }: Pick<BudgetAnswer, 'promises'>, budget: number): number {
  if (promises === null) return budget
  const { requestsPerDay: guaranteed, leastShare } = promises
  return guaranteed + Math.max(leastShare * budget, budget - guaranteed)
}

/** The curve at any budget, joined over the logarithm of requests; its ends beyond them. */
export function freshnessAt(
  curve: readonly CurvePoint[],
  requestsPerDay: number,
): number | undefined {
  const above = curve.findIndex((point) => point.requestsPerDay >= requestsPerDay)
  if (above <= 0) return (above < 0 ? curve[curve.length - 1] : curve[0])?.freshness
  const [low, high] = [curve[above - 1]!, curve[above]!]
  const share =
    Math.log(requestsPerDay / low.requestsPerDay) /
    Math.log(high.requestsPerDay / low.requestsPerDay)
  return low.freshness + share * (high.freshness - low.freshness)
}
