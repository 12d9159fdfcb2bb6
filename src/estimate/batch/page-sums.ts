import { type Columns, checkPage, longestGap, shortestGap } from './columns.js'

/** What one pass over a page gives to the closed forms. */
export interface PageSums {
  observations: number
  changes: number
  samplingPeriod: number
}

export function newPageSums(): PageSums {
  return { observations: 0, changes: 0, samplingPeriod: 0 }
}

/** Fills `sums` with those of a page: no allocation. Refuses a gap or flag out of range. */
export function sumPage(columns: Columns, { page, sums }: { page: number; sums: PageSums }): void {
  const { offsets, gaps, changed } = columns
  const start = offsets[page]!
  const end = offsets[page + 1]!
  let changes = 0
  let total = 0
  let flags = 0
  let fine = true
  for (let i = start; i < end; i++) {
    total += gaps[i]!
    changes += changed[i]!
    flags |= changed[i]!
    if (!(gaps[i]! >= shortestGap)) fine = false
  }
  if (!(fine && total <= longestGap) || flags > 1) checkPage(columns, page)
  sums.observations = end - start
  sums.changes = changes
  sums.samplingPeriod = total
}
