/** What the pages would spend at a price, and how fast that falls. */
export interface Reading {
  readonly spent: number
  /** d spent / d ln(price): never positive. */
  readonly slope: number
}

/** What the pages would spend at a price: continuous and falling in the price. */
export type Demand = (price: number) => Reading

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
/**
 * The price at which the pages spend the budget: Newton's method on
 * ln(spent) against ln(price), nearly a straight line, kept in a bracket and
 * replaced by bisection where it does not halve the error.
 *
 * The demand must exceed the budget at low prices and fall to it or below.
 */
export function searchPrice(
  demand: Demand,
  { budget, start }: { budget: number; start: number },
): PricePoint {
  let low = 0
  let high = Infinity
  let spentAtLow = Infinity
  let spentAtHigh = 0
  let price = start
  let errorBefore = Infinity
  for (;;) {
    const { spent, slope } = demand(price)
    const error = Math.abs(spent - budget)
    if (error <= TOLERANCE * budget) return { low: price, high: price, share: 1 }
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
}

/** The geometric middle; a bracket still open at one end is widened instead. */
function between({ low, high }: { low: number; high: number }): number {
  if (low === 0) return high / 16
  return high === Infinity ? low * 16 : Math.sqrt(low) * Math.sqrt(high)
}
