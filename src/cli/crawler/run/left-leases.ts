import type { Store } from '../../../model/index.js'

/** Where the store keeps the names of the runs that lease from a collection. */
const workersSetting = 'workers'

export interface RunningWorker {
  readonly store: Store
  readonly collection: string
  /** The name of this run. */
  readonly worker: string
  /** Whether a run of this name may still be at work; true where that cannot be known. */
  readonly isRunning: (worker: string) => boolean
}

/**
 * Signs this run in, and gives back the pages of runs that were killed, so
 * that they need not wait for their leases to run out. A run that goes on is
 * left alone; were one taken for dead by mistake, its reports would be refused
 * by their tokens, and nothing counted twice. Two runs that sign in at the
 * same moment may forget one name: then its pages wait, as ever.
 */
export async function signIn(run: RunningWorker): Promise<void> {
  const { store, collection, worker, isRunning } = run
  const known = await workersOf(run)
  const gone = known.filter((each) => each === worker || !isRunning(each))
  for (const each of gone) await store.releaseWorker(each)
  const others = known.filter((each) => !gone.includes(each))
  await store.putSetting(collection, workersSetting, [...others, worker])
}

/** After a clean end nothing is left to give back. */
export async function signOut(run: RunningWorker): Promise<void> {
  const { store, collection, worker } = run
  const others = (await workersOf(run)).filter((each) => each !== worker)
  await store.putSetting(collection, workersSetting, others)
}

async function workersOf({ store, collection }: RunningWorker): Promise<readonly string[]> {
  const known = await store.getSetting(collection, workersSetting)
  return Array.isArray(known) ? known.filter((each) => typeof each === 'string') : []
}
