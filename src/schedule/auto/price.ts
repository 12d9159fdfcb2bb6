import { twoPaceLaws as laws } from '../../numeric/index.js'
import { lawWorths } from './law-worths.js'
import type { Objective } from './objective.js'

/** What a price of a request leads to, for pages of the given law masses. */
export interface PriceOutcome {
  readonly price: number
  /** Visits a second, all pages together. */
  readonly visitRate: number
  /** Reward a second, requests not counted: for freshness, how many copies are fresh. */
  readonly reward: number
}

/**
 * What comes of a price: visits and reward if every page's law were known.
 * `masses` are the laws' masses summed over the pages, so they sum to the
 * number of pages. Real visits differ somewhat: laws have to be learned.
 */
export function priceOutcome(
  masses: Float64Array,
  { price, objective }: { price: number; objective: Objective },
): PriceOutcome {
  const { net, visitRates } = lawWorths({ price, objective })
  let [visitRate, reward] = [0, 0]
  for (let law = 0; law < laws.size; law++) {
    visitRate += masses[law]! * visitRates[law]!
    reward += masses[law]! * (net[law]! + price * visitRates[law]!)
  }
  return { price, visitRate, reward }
}

/** Steps of the prices tried: worths are kept, so a search costs little after the first. */
const step = 1.05
const [lowest, highest] = [-700, 900]

/** The price at which pages of these laws ask for `visitRate` visits a second, all together. */
export function priceFor(
  masses: Float64Array,
  { visitRate, objective }: { visitRate: number; objective: Objective },
): number {
  const excess = (steps: number) =>
    Math.log(priceOutcome(masses, { price: step ** steps, objective }).visitRate / visitRate)
  let [low, high] = [lowest, highest]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (excess(middle) > 0) low = middle
    else high = middle
  }
  const [over, under] = [excess(low), excess(high)]
  const share = over > 0 && under < 0 ? over / (over - under) : 0.5
  return step ** (low + share)
}
