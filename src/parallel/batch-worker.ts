import {
  type BatchEstimates,
  type BatchMethod,
  type Columns,
  estimateBatch,
  type PageRange,
} from '../estimate/batch/index.js'
import { type CarriedError, carry } from '../model/index.js'

/** One share of a batch; every array lies in shared memory. */
export interface BatchShare {
  readonly columns: Columns
  readonly into: BatchEstimates
  readonly method: BatchMethod
  readonly pages: PageRange
}

/** Runs in a worker thread: writes the estimates in place, and gives back the error if there is one. */
export default function estimateShare(share: BatchShare): CarriedError | undefined {
  try {
    estimateBatch(share)
    return undefined
  } catch (error) {
    const carried = carry(error)
    if (carried === undefined) throw error
    return carried
  }
}
