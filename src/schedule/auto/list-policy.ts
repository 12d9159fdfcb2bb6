import { humanDuration, type PageView, type Policy, type Seconds } from '../../model/index.js'
import { twoPaceLaws as laws } from '../../numeric/index.js'

export interface ListPolicyOptions {
  /** Seconds of freshness a second that are lost for each second in which the list is not looked at; 0 where it tells of nothing. */
  readonly worth: () => number
  /** What a request costs, in seconds of freshness. */
  readonly price: () => number
  readonly minGap: Seconds
  readonly maxGap: Seconds
}

const stagger = 0.02
/** Not looked at more often than five times between two changes of its own. */
const ownPace = 0.2

/**
 * For a sitemap or a feed whose word is heard: not its own freshness counts,
 * but that of the pages it tells of. Looked at every L, it leaves each change
 * that it tells of unseen for L/2 on the mean; with the request's price that
 * is least at L = sqrt(2 price / worth), where `worth` sums the change rates
 * of the pages that are worth a visit. As any other page where it tells of
 * nothing that counts.
 */
export function listPolicy(policy: Policy, options: ListPolicyOptions): Policy {
  const { worth, price, minGap, maxGap } = options
  const wanted = ({ changePeriod }: PageView): Seconds | null => {
    const gap = lookGap({ price: price(), worth: worth() })
    if (!(gap < Infinity)) return null
    // A list that does not change tells of nothing, whatever its pages do.
    const least = Math.max(minGap, changePeriod < Infinity ? ownPace * changePeriod : maxGap)
    return Math.min(maxGap, Math.max(least, gap))
  }
  return {
    ...policy,
    nextGap(view: PageView) {
      const gap = wanted(view)
      if (gap === null) return policy.nextGap(view)
      const moved = gap * (1 + stagger * (2 * view.random.uniform() - 1))
      return Math.min(maxGap, Math.max(minGap, moved))
    },
    reason(view, gap) {
      if (wanted(view) === null) return policy.reason(view, gap)
      return `it tells of changes of its pages; looked at every ${humanDuration(gap)}, which costs as much as coming later would lose`
    },
  }
}

/** How often to look at a list that is worth so much; Infinity for one that is worth nothing. */
export function lookGap({ price, worth }: { price: number; worth: number }): Seconds {
  return worth > 0 ? Math.sqrt((2 * price) / worth) : Infinity
}

/**
 * Changes a second of a page that are worth a visit each: at a change rate r a
 * visit brings 1/r of freshness, for the price. O(laws).
 */
export function toldWorth({
  belief,
  price,
  importance,
}: {
  belief: Float64Array
  price: number
  importance: number
}): number {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const changeRate = laws.meanRates[law]!
    const net = 1 - (changeRate * price) / importance
    if (net > 0) total += (belief[2 * law]! + belief[2 * law + 1]!) * changeRate * net
  }
  return total
}
