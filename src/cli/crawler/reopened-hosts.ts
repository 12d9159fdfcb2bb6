import { type HostState, hostOpensAt } from '../../crawl/index.js'
import type { HostRecord, Store, UnixSeconds } from '../../model/index.js'
import type { Configuration } from '../config/settings.js'

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
  terms: Pick<Configuration, 'collection' | 'hostRequestsPerDay'> & { readonly now: UnixSeconds },
): Promise<void> {
  const { collection, hostRequestsPerDay } = terms
  const before = (await store.getSetting(collection, budgetSetting)) ?? null
  if (before === hostRequestsPerDay) return
  if (typeof before === 'number') await reopenAll(store, { ...terms, before })
  await store.putSetting(collection, budgetSetting, hostRequestsPerDay)
}

interface Terms {
  readonly before: number
  readonly hostRequestsPerDay: number | null
  readonly now: UnixSeconds
}

async function reopenAll(
  store: Store,
  terms: Terms & { readonly collection: string },
): Promise<void> {
  const { collection, now } = terms
  let after: string | undefined
  do {
    const from = after === undefined ? {} : { after }
    const list = await store.listHosts({ collection, restingAt: now, limit: batch, ...from })
    for (const { host } of list.hosts) {
      const record = await store.getHost(host)
      const open = record === null ? null : reopened(record, terms)
      if (open !== null) await store.putHosts([open])
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
