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

/**
 * The store of the configuration; made if need be, unless it is only looked
 * at. One begun in a file that was empty may be one that was cut: this is told.
 */
export async function openStore(
  { crawler, config }: Configured,
  { readOnly = false, thread = false, unseen = false }: OpenHow = {},
): Promise<FileStore> {
  const { database } = config
  const wasEmpty = crawler.isEmptyFile(database)
  const store = await crawler.openStore({
    path: database,
    readOnly,
    thread,
    unseen,
    retention: { newest: config.keepVersions, youngerThan: config.keepTime },
  })
  if (wasEmpty)
    crawler.tell(
      `${database} was empty (0 bytes), and a new store was begun in it; if it held pages before, put the last good copy in its place: revisit restore BACKUP --replace\n`,
    )
  return store
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
