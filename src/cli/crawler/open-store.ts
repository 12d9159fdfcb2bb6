import type { FileStore } from '../../model/index.js'
import type { Configured } from './configured.js'

/** The store of the configuration; made if need be, unless it is only looked at. */
export function openStore(
  { crawler, config }: Configured,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<FileStore> {
  return crawler.openStore({
    path: config.database,
    readOnly,
    retention: { newest: config.keepVersions, youngerThan: config.keepTime },
  })
}

/** Runs a task on the store and closes it, whatever happens. */
export async function withStore<T>(
  configured: Configured,
  task: (store: FileStore) => Promise<T>,
  options: { readonly readOnly?: boolean } = {},
): Promise<T> {
  const store = await openStore(configured, options)
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}
