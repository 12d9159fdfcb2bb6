import type { Store, Visit } from '../model/index.js'
import { type PastParts, recordPast } from './record-past.js'

/** Pages added in one transaction. */
const batch = 500

export interface ImportParts extends PastParts {
  readonly store: Store
  readonly collection: string
}

/** What became of visits that were made elsewhere. */
export interface Imported {
  pages: number
  newPages: number
  visits: number
  /** Not after the visits that are there already, or at the time of another. */
  late: number
  /** Pages that another process was visiting. */
  busy: number
}

/** Records the visits of many pages, each in order of time; pages not yet followed are from now on. */
export async function importVisits(
  all: Iterable<{ readonly url: string; readonly visits: readonly Visit[] }>,
  parts: ImportParts,
): Promise<Imported> {
  const { store, collection, terms } = parts
  const result: Imported = { pages: 0, newPages: 0, visits: 0, late: 0, busy: 0 }
  const list = [...all]
  for (let i = 0; i < list.length; i += batch) {
    const some = list.slice(i, i + batch)
    const pages = some.map(({ url }) => ({ url }))
    result.newPages += (await store.addPages({ collection, pages, now: terms.now })).added
    for (const each of some) await importPage(each, { parts, result })
  }
  return result
}

async function importPage(
  { url, visits }: { readonly url: string; readonly visits: readonly Visit[] },
  { parts, result }: { parts: ImportParts; result: Imported },
): Promise<void> {
  const page = await parts.store.getPage({ collection: parts.collection, url })
  if (page === null) return
  const done = await recordPast(page, visits, parts)
  result.pages++
  result.visits += done.recorded
  result.late += done.late
  if (done.busy) result.busy++
}
