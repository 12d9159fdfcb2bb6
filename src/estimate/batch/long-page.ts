import type { BatchEstimates } from './batch-estimates.js'
import { stepTolerance } from './climb.js'
import { type Columns, checkPage } from './columns.js'
import { alwaysChanged, noChangeSeen, ok, verdictOnCounts } from './verdict-on-counts.js'

/**
 * The irregular MLE of one page with more observations than a block holds: the
 * same climb (see climb.ts) with its sums taken straight from the columns, one
 * exponential a changed gap and round. No memory of its own.
 */
export function estimateLongPage({
  columns,
  into,
  page,
}: {
  columns: Columns
  into: BatchEstimates
  page: number
}): void {
  checkPage(columns, page)
  const sums = sumsOf(columns, page)
  const verdict = verdictOnCounts(sums)
  into.verdicts[page] = verdict
  if (verdict === noChangeSeen) into.changeRates[page] = 1 / sums.unseen
  else if (verdict === alwaysChanged) into.changeRates[page] = 1 / sums.shortest
  else if (verdict === ok) into.changeRates[page] = climbLong(columns, { page, ...sums })
}

function sumsOf({ offsets, gaps, changed }: Columns, page: number) {
  const observations = offsets[page + 1]! - offsets[page]!
  const sums = { observations, changes: 0, seen: 0, unseen: 0, shortest: Infinity }
  for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
    const gap = gaps[i]!
    sums.changes += changed[i]!
    if (changed[i] === 1) sums.seen += gap
    else sums.unseen += gap
    if (gap < sums.shortest) sums.shortest = gap
  }
  return sums
}

function climbLong(
  { offsets, gaps, changed }: Columns,
  { page, changes, seen, unseen }: { page: number; changes: number; seen: number; unseen: number },
): number {
  let changeRate = (Math.log1p(seen / unseen) * changes) / seen
  for (;;) {
    let f = 0
    let fall = 0
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      if (changed[i] === 0) continue
      const h = gaps[i]! / Math.expm1(changeRate * gaps[i]!)
      f += h
      fall += h * (gaps[i]! + h)
    }
    const rise = Math.log1p((((f - unseen) / unseen) * seen) / (f + seen))
    const step = (rise / seen) * (f + seen) * (f / fall)
    changeRate += step
    if (Math.abs(step) <= stepTolerance * changeRate) return changeRate
  }
}
