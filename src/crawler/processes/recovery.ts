import type { HostRecord } from '../../model/lease.js'
import type { Store } from '../../model/store.js'
import { MINUTE, type UnixSeconds } from '../../model/units.js'
import { type HostState, hostOpensAt } from '../../visit/politeness/host-state.js'
import type { CrawlerSettings } from '../settings.js'

/**
 * Gives back the pages and chores of runs that were killed, so that they need
 * not wait for their leases to run out. A run that goes on is left alone; were one taken
 * for gone by mistake, its reports would be refused by their tokens, and
 * nothing counted twice. How many pages.
 */
export async function releaseGone(
  store: Store,
  /** Whether a run of this name may still be at work; true where that cannot be known. */
  isRunning: (worker: string) => boolean,
): Promise<number> {
  let pages = 0
  const known = [
    ...(await store.leasingWorkers()),
    ...(await store.workers({ now: 0 })).map(({ name }) => name),
    ...(await store.chores()).map(({ worker }) => worker),
  ]
  for (const worker of new Set(known))
    if (!isRunning(worker)) pages += await store.releaseWorker(worker)
  return pages
}

/** Where the store keeps the count of all requests of the day. */
export const todaySetting = 'requests-today'

/** Where the store keeps the budget of each host by which the last run went. */
const budgetSetting = 'host-requests-per-day'
const batch = 500

/**
 * A host whose day's requests are used up rests in the store until the next
 * day, so that its pages are not leased in vain. Where the budget is another
 * than at the last run, those that rest for the old one alone are opened again.
 */
export async function reopenHosts(
  store: Store,
  terms: Pick<CrawlerSettings, 'collection' | 'hostRequestsPerDay'> & {
    readonly now: UnixSeconds
    readonly worker: string
  },
): Promise<void> {
  const { collection, hostRequestsPerDay } = terms
  const stored = await store.getSetting(collection, budgetSetting)
  const before = stored ?? null
  if (before === hostRequestsPerDay) return
  if (typeof before === 'number') await reopenAll(store, { ...terms, before })
  await store.swapSetting(collection, budgetSetting, { from: stored, to: hostRequestsPerDay })
}

interface Terms {
  readonly before: number
  readonly hostRequestsPerDay: number | null
  readonly now: UnixSeconds
  readonly worker: string
}

async function reopenAll(
  store: Store,
  terms: Terms & { readonly collection: string },
): Promise<void> {
  const { collection, now, worker } = terms
  let after: string | undefined
  do {
    const from = after === undefined ? {} : { after }
    const list = await store.listHosts({ collection, restingAt: now, limit: batch, ...from })
    for (const { host } of list.hosts) {
      // One that another process holds does not rest for its budget.
      const hold = await store.holdHost({ host, worker, now, ttl: MINUTE })
      if (hold === null) continue
      const open = hold.record === null ? null : reopened(hold.record, terms)
      await (open === null ? store.releaseHost(hold) : store.releaseHost(hold, open))
    }
    after = list.next ?? undefined
  } while (after !== undefined)
}

/** The host's record by the new budget; null where it rests for another reason. */
function reopened(
  record: HostRecord,
  { before, hostRequestsPerDay, now }: Terms,
): HostRecord | null {
  if (record.state === null) return null
  const state = record.state as unknown as HostState
  const opens = (budget: number | null) => hostOpensAt(state, { now, budget })
  if (record.blockedUntil !== opens(before)) return null
  const rest = Math.max(state.nextAllowedAt, opens(hostRequestsPerDay))
  return { ...record, blockedUntil: rest > now ? rest : null }
}
