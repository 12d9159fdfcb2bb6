import type { FileStore } from '../../model/index.js'
import type { Configured } from './configured.js'

export interface OpenHow {
  /** Only to look. */
  readonly readOnly?: boolean
  /** On a thread of its own. */
  readonly thread?: boolean
  /** As it is, torn or not: for the check. */
  readonly unseen?: boolean
}

/** The store of the configuration; made if need be, unless it is only looked at. */
export function openStore(
  { crawler, config }: Configured,
  { readOnly = false, thread = false, unseen = false }: OpenHow = {},
): Promise<FileStore> {
  return crawler.openStore({
    path: config.database,
    readOnly,
    thread,
    unseen,
    retention: { newest: config.keepVersions, youngerThan: config.keepTime },
  })
}

/** Runs a task on the store and closes it, whatever happens. */
export async function withStore<T>(
  configured: Configured,
  task: (store: FileStore) => Promise<T>,
  options: OpenHow = {},
): Promise<T> {
  const store = await openStore(configured, options)
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}
