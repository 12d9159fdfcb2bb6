import type { Store } from '../../model/store.js'

/** Calls under way at once; a file takes them one after another anyway. */
const atOnce = 16

/** Pages of a collection, slice by slice, in the order they were added. */
export async function* pageSlices(
  store: Store,
  { collection, limit = 500, after: from }: { collection: string; limit?: number; after?: string },
) {
  let after = from
  do {
    const next = after === undefined ? {} : { after }
    const list = await store.listPages({ collection, limit, ...next })
    yield list
    after = list.next ?? undefined
  } while (after !== undefined)
}

/** One result each, in order, some under way at once. */
export async function inParts<T, R>(
  all: readonly T[],
  work: (each: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += atOnce)
    results.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  return results
}
