import { type Columns, pageCount } from './columns.js'

/** Pages solved together: enough to overlap their arithmetic, few enough to stay in cache. */
export const blockPages = 64
/** Numbers kept a page in `series`; see near-series.ts. */
export const seriesSize = 14

/**
 * Working memory of the irregular MLE, made once a call. A block of pages goes
 * through each stage together, so that the processor need not wait for one
 * page's logarithm or division before it begins the next page.
 */
export interface Block {
  /** The first page of the block, and how many there are. */
  first: number
  pages: number
  /** The changed gaps, page after page; page b of the block ends at `ends[b + 1]`. */
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

export function newBlock(columns: Columns): Block {
  const room = Math.max(64 * blockPages, longestPage(columns)) + 1
  return {
    first: 0,
    pages: 0,
    gaps: new Float64Array(room),
    ends: new Int32Array(blockPages + 1),
    changedTime: new Float64Array(blockPages),
    unchangedTime: new Float64Array(blockPages),
    reached: new Float64Array(blockPages),
    series: new Float64Array(blockPages * seriesSize),
    far: new Float64Array(room),
    farCounts: new Int32Array(blockPages),
  }
}

/** How many pages from `from` fit into a block; at least one. */
export function pagesThatFit(
  block: Block,
  { offsets, from, to }: { offsets: Uint32Array; from: number; to: number },
): number {
  const last = Math.min(to, from + blockPages)
  const start = offsets[from]!
  let end = last
  while (end > from + 1 && offsets[end]! - start >= block.gaps.length) end--
  return end - from
}

function longestPage(columns: Columns): number {
  const { offsets } = columns
  let longest = 0
  for (let page = 0; page < pageCount(columns); page++)
    longest = Math.max(longest, offsets[page + 1]! - offsets[page]!)
  return longest
}
