/** What the pages would spend at a price, and how fast that falls. */
export interface Reading {
  readonly spent: number
  /** d spent / d ln(price): never positive. */
  readonly slope: number
}

/** What every `stride`-th page would spend at a price: continuous and falling in the price. */
export type Demand = (at: { price: number; stride: number }) => Reading

/**
 * Where the demand meets the budget: at one price (low = high), or, where one
 * page's demand falls faster than prices have digits, between two that agree
 * to 14 digits: take `share` of the rates at the low one and the rest at the
 * high one, and the budget is met while every page's marginal gain stays
 * between the two.
 */
export interface PricePoint {
  readonly low: number
  readonly high: number
  readonly share: number
}

/** The spending meets the budget to this, relatively. */
export const TOLERANCE = 1e-12
/** Two prices nearer than this are one. */
const NEAREST = 1e-14
/** Sampled pages that make a first answer worth having. */
const WORTH_SAMPLING = 1000

/**
 * The price at which the pages spend the budget: Newton's method on
 * ln(spent) against ln(price), nearly a straight line, kept in a bracket and
 * replaced by bisection where it does not halve the error. Large collections
 * are first solved for one page in 64 and in 8, so that three or four rounds
 * over all pages remain.
 *
 * The demand must exceed the budget at low prices and fall to it or below.
 */
export function searchPrice(
  demand: Demand,
  problem: { budget: number; start: number; pages: number },
): PricePoint {
  let start = problem.start
  for (const stride of [64, 8]) {
    if (problem.pages < stride * WORTH_SAMPLING) continue
    const budget = problem.budget / stride
    const found = settle(demand, { budget, start, stride, tolerance: 1e-3, rounds: 20 })
    start = found?.high ?? start
  }
  const { budget } = problem
  return settle(demand, { budget, start, stride: 1, tolerance: TOLERANCE, rounds: Infinity })!
}

interface Round {
  readonly budget: number
  readonly start: number
  readonly stride: number
  readonly tolerance: number
  /** A sample may hold no page that wants visits: it must be possible to give up. */
  readonly rounds: number
}

function settle(demand: Demand, round: Round): PricePoint | undefined {
  const { budget, start, stride, tolerance } = round
  let low = 0
  let high = Infinity
  let spentAtLow = Infinity
  let spentAtHigh = 0
  let price = start
  let errorBefore = Infinity
  for (let i = 0; i < round.rounds; i++) {
    const { spent, slope } = demand({ price, stride })
    const error = Math.abs(spent - budget)
    if (error <= tolerance * budget) return { low: price, high: price, share: 1 }
    if (spent > budget) [low, spentAtLow] = [price, spent]
    else [high, spentAtHigh] = [price, spent]
    if (high < Infinity && high - low <= NEAREST * high) {
      return { low, high, share: (budget - spentAtHigh) / (spentAtLow - spentAtHigh) }
    }
    const step = (Math.log(budget / spent) * spent) / slope
    const next = price * Math.exp(step)
    const trusted = next > low && next < high && error <= errorBefore / 2
    errorBefore = trusted ? error : Infinity
    price = trusted ? next : between({ low, high })
  }
  return undefined
}

/** The geometric middle; a bracket still open at one end is widened instead. */
function between({ low, high }: { low: number; high: number }): number {
  if (low === 0) return high / 16
  return high === Infinity ? low * 16 : Math.sqrt(low) * Math.sqrt(high)
}
