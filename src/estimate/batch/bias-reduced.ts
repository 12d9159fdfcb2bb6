import type { BatchTask } from './batch-estimates.js'
import type { Columns } from './columns.js'
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
    into.verdicts[page] = seen === ok && !even(columns, page) ? unequalGaps : seen
  }
}

function biasReducedRate({ observations, changes, samplingPeriod }: PageSums): number {
  const perGap = -Math.log((observations - changes + 0.5) / (observations + 0.5))
  return (perGap * observations) / samplingPeriod
}

/** Ends at the first gap that breaks it, so it is quick where gaps are irregular. */
function even({ offsets, gaps }: Columns, page: number): boolean {
  let shortest = Infinity
  let longest = 0
  for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
    if (gaps[i]! < shortest) shortest = gaps[i]!
    if (gaps[i]! > longest) longest = gaps[i]!
    if (longest > evenness * shortest) return false
  }
  return true
}
