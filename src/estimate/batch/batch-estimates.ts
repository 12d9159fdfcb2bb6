import { OptionError } from '../../model/index.js'
import type { Columns } from './columns.js'

/** What a batch gives, one entry a page. */
export interface BatchEstimates {
  /** Changes per unit of time; 0 where there is no observation. Never NaN or Infinity. */
  readonly changeRates: Float64Array
  /** Codes of `verdictsByCode`. */
  readonly verdicts: Uint8Array
}

/** Pages from `from` to below `to`. */
export interface PageRange {
  readonly from: number
  readonly to: number
}

/** What a batch method works on; it writes the entries of its pages and no others. */
export interface BatchTask {
  readonly columns: Columns
  readonly into: BatchEstimates
  readonly pages: PageRange
}

/** Room for the estimates of so many pages. */
export function newBatchEstimates(pages: number): BatchEstimates {
  return { changeRates: new Float64Array(pages), verdicts: new Uint8Array(pages) }
}

export function checkRoom({ changeRates, verdicts }: BatchEstimates, pages: number): void {
  if (changeRates.length >= pages && verdicts.length >= pages) return
  throw new OptionError(
    'no-room',
    `the arrays given hold ${Math.min(changeRates.length, verdicts.length)} pages of ${pages}; make them with newBatchEstimates(${pages})`,
  )
}
