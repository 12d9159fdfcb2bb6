export { type BatchPool, estimateInParallel, openBatchPool } from './batch-pool.js'
export { sharedColumns } from './shared-columns.js'
