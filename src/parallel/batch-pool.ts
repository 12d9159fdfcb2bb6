import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import {
  type BatchEstimates,
  type BatchMethod,
  type Columns,
  checkMethod,
  checkShape,
} from '../estimate/batch/index.js'
import { type CarriedError, revive } from '../model/index.js'
import type { BatchShare } from './batch-worker.js'
import { checkThreads } from './check-threads.js'
import { pageShares } from './page-shares.js'
import { sharedColumns, sharedEstimates } from './shared-columns.js'

/** Worker threads kept ready for many batches. Close it, or the process does not end. */
export interface BatchPool {
  readonly threads: number
  /**
   * As `estimateBatch`, byte for byte, whatever the number of threads. Columns
   * in shared memory are not copied (see `sharedColumns`). If several pages
   * are at fault, the error is that of the first.
   */
  estimate(batch: { columns: Columns; method?: BatchMethod }): Promise<BatchEstimates>
  close(): Promise<void>
}

/** Starts worker threads, as many as the machine has processors unless said. */
export function openBatchPool({
  threads = availableParallelism(),
}: {
  readonly threads?: number
} = {}): BatchPool {
  checkThreads(threads)
  const piscina = new Piscina<BatchShare, CarriedError | undefined>({
    filename: new URL('./batch-worker.js', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
  })
  return {
    threads,
    estimate: (batch) => estimateOn(piscina, batch),
    close: () => piscina.destroy(),
  }
}

/** One batch on worker threads that live only for it; see `openBatchPool` for many. */
export async function estimateInParallel({
  columns,
  method,
  threads,
}: {
  readonly columns: Columns
  readonly method?: BatchMethod
  readonly threads?: number
}): Promise<BatchEstimates> {
  const pool = openBatchPool(threads === undefined ? {} : { threads })
  try {
    return await pool.estimate(method === undefined ? { columns } : { columns, method })
  } finally {
    await pool.close()
  }
}

async function estimateOn(
  piscina: Piscina<BatchShare, CarriedError | undefined>,
  { columns: given, method = 'irregular-mle' }: { columns: Columns; method?: BatchMethod },
): Promise<BatchEstimates> {
  checkMethod(method)
  checkShape(given)
  const columns = sharedColumns(given)
  const into = sharedEstimates(columns)
  const shares = pageShares(columns.offsets)
  const failures = await Promise.all(
    shares.map((pages) => piscina.run({ columns, into, method, pages })),
  )
  const failure = failures.find((each) => each !== undefined)
  if (failure !== undefined) throw revive(failure)
  return into
}
