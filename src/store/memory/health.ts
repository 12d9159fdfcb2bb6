import type { StoreHealth, StoreTotals, UnixSeconds } from '../../model/index.js'
import type { MemoryState } from './memory-state.js'
import { filteredPages } from './page-lists.js'

export function healthOf(
  state: MemoryState,
  { collection, now }: { readonly collection: string; readonly now: UnixSeconds },
): StoreHealth {
  const pages = filteredPages(state, { collection }).map(({ record }) => record)
  const dues = pages.flatMap(({ due }) => (due.at === 'never' ? [] : [due.at]))
  const inFlight = [...state.leases.values()].filter(
    ({ page, expires }) => page.record.collection === collection && expires > now,
  )
  return {
    pages: pages.length,
    hosts: new Set(pages.map(({ host }) => host)).size,
    dueNow: dues.filter((at) => at <= now).length,
    inFlight: inFlight.length,
    oldestDue: dues.length === 0 ? null : Math.min(...dues),
  }
}

/** Nothing is packed in memory. */
export function totalsOf({ pages, log, contents }: MemoryState): StoreTotals {
  const bytes = [...contents.values()].reduce((sum, body) => sum + body.length, 0)
  return {
    pages: pages.size,
    visits: log.length,
    versions: [...pages.values()].reduce((sum, page) => sum + page.versions.length, 0),
    snapshots: contents.size,
    contentBytes: bytes,
    packedBytes: bytes,
  }
}

/** What a page's record and its visits do not agree on. */
export function problemsOf({ pages }: MemoryState): string[] {
  return [...pages.values()]
    .filter(({ record, visits }) => record.visits !== visits.length)
    .map(({ record }) => `${record.url} has a wrong number of visits`)
}
