import { type Columns, checkPage, longestGap, shortestGap } from './columns.js'

/** What one pass over a page gives to the closed forms. */
export interface PageSums {
  observations: number
  changes: number
  samplingPeriod: number
  shortest: number
  longest: number
}

export function newPageSums(): PageSums {
  return { observations: 0, changes: 0, samplingPeriod: 0, shortest: Infinity, longest: 0 }
}

/** Fills `sums` with those of a page: no allocation. Refuses a gap or flag out of range. */
export function sumPage(columns: Columns, { page, sums }: { page: number; sums: PageSums }): void {
  const { offsets, gaps, changed } = columns
  const end = offsets[page + 1]!
  let changes = 0
  let total = 0
  let shortest = Infinity
  let longest = 0
  let flags = 0
  for (let i = offsets[page]!; i < end; i++) {
    const gap = gaps[i]!
    total += gap
    changes += changed[i]!
    flags |= changed[i]!
    if (!(gap >= shortest)) shortest = gap
    if (gap > longest) longest = gap
  }
  sums.observations = end - offsets[page]!
  if (!(shortest >= shortestGap && total <= longestGap) || flags > 1) checkPage(columns, page)
  sums.changes = changes
  sums.samplingPeriod = total
  sums.shortest = shortest
  sums.longest = longest
}
