export { type BatchEstimates, newBatchEstimates, type PageRange } from './batch-estimates.js'
export { stepTolerance } from './climb.js'
export {
  type Columns,
  checkColumns,
  checkShape,
  columnsOf,
  longestGap,
  pageCount,
  shortestGap,
} from './columns.js'
export { type BatchMethod, batchMethods, checkMethod, estimateBatch } from './estimate-batch.js'
export { type PackedColumns, packGaps, unpackGaps } from './packed-gaps.js'
export { verdictCode, verdictsByCode } from './verdict-codes.js'
