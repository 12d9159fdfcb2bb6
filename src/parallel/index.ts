export { type BatchPool, estimateInParallel, openBatchPool } from './batch-pool.js'
export { type RunStudiesOptions, runStudies } from './run-studies.js'
export { sharedColumns } from './shared-columns.js'
