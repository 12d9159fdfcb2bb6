import type { BudgetAnswer } from '../../../src/server/collection/budget.js'

/** Requests a day that a budget comes to: what is guaranteed to single pages is kept, and leaves the others a share. */
export function spentAt({ promises }: Pick<BudgetAnswer, 'promises'>, budget: number): number {
  if (promises === null) return budget
  const { requestsPerDay: guaranteed, leastShare } = promises
  return guaranteed + Math.max(leastShare * budget, budget - guaranteed)
}

/** The curve at any budget, joined over the logarithm of requests; its ends beyond them. */
export function freshnessAt(
  curve: readonly Pick<BudgetAnswer['curve'][number], 'requestsPerDay' | 'freshness'>[],
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
