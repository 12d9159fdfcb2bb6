import type { Store } from '../../../model/index.js'

/**
 * Gives back the pages of runs that were killed, so that they need not wait
 * for their leases to run out. A run that goes on is left alone; were one taken
 * for gone by mistake, its reports would be refused by their tokens, and
 * nothing counted twice. How many pages.
 */
export async function releaseGone(
  store: Store,
  /** Whether a run of this name may still be at work; true where that cannot be known. */
  isRunning: (worker: string) => boolean,
): Promise<number> {
  let pages = 0
  for (const worker of await store.leasingWorkers())
    if (!isRunning(worker)) pages += await store.releaseWorker(worker)
  return pages
}
