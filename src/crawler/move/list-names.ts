import type { Store } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import { pageSlices } from './slices.js'

/**
 * Hints name the list that reported them by its page's id, which is each
 * store's own. These are the other names of all lists: ids of another store, or
 * their addresses.
 */
export type ListNames = ReadonlyMap<string, string>

/** A page's hints with the lists under other names. */
export function renamedHints(hints: Json, names: ListNames): Json {
  if (names.size === 0 || hints === null || typeof hints !== 'object') return hints
  if (Array.isArray(hints)) return hints.map((each: Json) => renamedHints(each, names))
  return Object.fromEntries(
    Object.entries(hints as { readonly [name: string]: Json }).map(([key, value]) => [
      key,
      key === 'source' && typeof value === 'string'
        ? (names.get(value) ?? value)
        : renamedHints(value, names),
    ]),
  )
}

/** The values of lists, which are kept by the lists' ids, under other names. */
export function renamedKeys(values: Json, names: ListNames): Json {
  if (values === null || typeof values !== 'object' || Array.isArray(values)) return values
  return Object.fromEntries(
    Object.entries(values as { readonly [name: string]: Json }).map(([key, value]) => [
      names.get(key) ?? key,
      value,
    ]),
  )
}

/** The addresses of the lists of a collection, by their ids. */
export async function listAddresses(store: Store, collection: string): Promise<ListNames> {
  const names = new Map<string, string>()
  for await (const { pages } of pageSlices(store, { collection }))
    for (const { id, url, settings } of pages) if (settings.role === 'list') names.set(id, url)
  return names
}
