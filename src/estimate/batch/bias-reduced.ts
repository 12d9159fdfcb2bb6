import type { BatchTask } from './batch-estimates.js'
import { newPageSums, type PageSums, sumPage } from './page-sums.js'
import { verdictCode } from './verdict-codes.js'
import { ok, verdictOnCounts } from './verdict-on-counts.js'

/** Gaps count as equal while the longest is at most 5% longer than the shortest. */
const evenness = 1.05
const unequalGaps = verdictCode('unequal-gaps')

/** -ln(share of gaps unchanged), small-sample corrected; see rate/bias-reduced. O(n). */
export function biasReducedBatch({ columns, into, pages }: BatchTask): void {
  const sums = newPageSums()
  for (let page = pages.from; page < pages.to; page++) {
    sumPage(columns, { page, sums })
    into.changeRates[page] = sums.changes === 0 ? 0 : biasReducedRate(sums)
    const seen = verdictOnCounts(sums)
    const uneven = seen === ok && sums.longest > evenness * sums.shortest
    into.verdicts[page] = uneven ? unequalGaps : seen
  }
}

function biasReducedRate({ observations, changes, samplingPeriod }: PageSums): number {
  const perGap = -Math.log((observations - changes + 0.5) / (observations + 0.5))
  return (perGap * observations) / samplingPeriod
}
