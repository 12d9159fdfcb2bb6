import type { PageRange } from './batch-estimates.js'

/** Pages solved together: enough to overlap their arithmetic, few enough to stay in cache. */
export const blockPages = 64
/** Observations that fit into a block; a page with more is solved by long-page.ts. */
export const blockRoom = 8192
/** Numbers kept a page in `series`; see near-series.ts. */
export const seriesSize = 14

/**
 * What the stages of the irregular MLE share. A block of pages goes through
 * each stage together, so that the processor need not wait for one page's
 * logarithm or division before it begins the next page. There is one for the
 * module, and each stage is a function that closes over it: V8 then compiles
 * the addresses and lengths in, which is measured to save 15%.
 */
export interface WorkingMemory {
  /** The changed gaps, page after page; those of page b end at `ends[b + 1]`. */
  readonly gaps: Float64Array
  readonly ends: Int32Array
  readonly changedTime: Float64Array
  readonly unchangedTime: Float64Array
  /** The change rate reached so far: a lower bound of the answer. */
  readonly reached: Float64Array
  /** The near part of the sum as a series, and the scaled far gaps; see near-series.ts. */
  readonly series: Float64Array
  readonly far: Float64Array
  readonly farCounts: Int32Array
}

export function newWorkingMemory(): WorkingMemory {
  return {
    gaps: new Float64Array(blockRoom + 1),
    ends: new Int32Array(blockPages + 1),
    changedTime: new Float64Array(blockPages),
    unchangedTime: new Float64Array(blockPages),
    reached: new Float64Array(blockPages),
    series: new Float64Array(blockPages * seriesSize),
    far: new Float64Array(blockRoom + 1),
    farCounts: new Int32Array(blockPages),
  }
}

/** How many pages from the first of `pages` fit into a block; none if that page is too long. */
export function pagesThatFit(offsets: Uint32Array, { from, to }: PageRange): number {
  const start = offsets[from]!
  let end = Math.min(to, from + blockPages)
  while (end > from && offsets[end]! - start > blockRoom) end--
  return end - from
}
