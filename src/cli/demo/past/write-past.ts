import { type Lease, OptionError, type Store } from '../../../model/index.js'
import { collection } from '../demo-place.js'
import type { Past, PastVisit } from './make-past.js'

/** Visits in one commit. */
const batch = 1000
/** Copies of each page that are kept of the past: packing all of them would take as long as the rest. */
const copies = 4

/** Writes a past to a store whose pages were never visited, as if it had been made there. */
export async function writePast(store: Store, past: Past): Promise<void> {
  const { pages } = await store.listPages({ collection, limit: past.pages.size })
  const now = past.visits.at(-1)?.visit.at ?? 0
  const leases = await store.leasePages({ pages, worker: 'past', now, ttl: 3600 })
  const byUrl = new Map(leases.map((lease) => [lease.page.url, lease]))
  const reports = rewritten(past, byUrl)
  for (let i = 0; i < reports.length; i += batch) {
    const fates = await store.recordVisits(reports.slice(i, i + batch))
    if (fates.some((fate) => fate !== 'recorded'))
      throw new OptionError('past-refused', 'the store has visits already; begin with a new one')
  }
  await store.releaseLeases(leases)
  for (const [name, value] of Object.entries(past.settings))
    await store.putSetting(collection, name, value)
}

/** By the store's own leases; the last visit of each page with what was planned after it, and the newest copies. */
function rewritten(past: Past, leases: ReadonlyMap<string, Lease>): PastVisit[] {
  const later = new Map<string, { visits: number; copies: number }>()
  const reports = past.visits.toReversed().map((report) => {
    const { url } = report.lease.page
    const seen = later.get(url) ?? { visits: 0, copies: 0 }
    const { content, ...rest } = report
    const kept = content !== undefined && seen.copies < copies
    later.set(url, { visits: seen.visits + 1, copies: seen.copies + (kept ? 1 : 0) })
    const { due, state } = past.pages.get(url)!
    const last = seen.visits > 0 ? {} : { due, ...(state === null ? {} : { state }) }
    return { ...rest, lease: leases.get(url)!, ...last, ...(kept ? { content } : {}) }
  })
  return reports.reverse()
}
