import type { BatchTask } from './batch-estimates.js'
import { newPageSums, sumPage } from './page-sums.js'
import { verdictOnCounts } from './verdict-on-counts.js'

/** Changes seen divided by time, page by page; see rate/intuitive. O(n). */
export function intuitiveBatch({ columns, into, pages }: BatchTask): void {
  const sums = newPageSums()
  for (let page = pages.from; page < pages.to; page++) {
    sumPage(columns, { page, sums })
    into.changeRates[page] = sums.changes === 0 ? 0 : sums.changes / sums.samplingPeriod
    into.verdicts[page] = verdictOnCounts(sums)
  }
}
