import type { PageRange } from '../estimate/batch/index.js'

/** Small enough that the last thread does not work long alone, large enough to cost nothing. */
const observationsPerShare = 500_000

/** Cuts the pages into shares of about equal work, in order. */
export function pageShares(offsets: Uint32Array): PageRange[] {
  const shares: PageRange[] = []
  const pages = offsets.length - 1
  for (let from = 0; from < pages; ) {
    let to = from + 1
    while (to < pages && workOf(offsets, { from, to: to + 1 }) <= observationsPerShare) to++
    shares.push({ from, to })
    from = to
  }
  return shares
}

/** A page costs something even without observations. */
function workOf(offsets: Uint32Array, { from, to }: PageRange): number {
  return offsets[to]! - offsets[from]! + 10 * (to - from)
}
