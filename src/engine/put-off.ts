import type { Due, HostRecord, Lease, PageRecord, Store, UnixSeconds } from '../model/index.js'
import { type AllowedHours, nextAllowed } from '../schedule/allowed-hours.js'
import { dueWithin } from './due-within.js'
import type { MadeVisit } from './made-visit.js'

export interface PutOffParts {
  readonly store: Store
  /** What is known of the page's own host. */
  readonly hostBefore: (page: PageRecord) => Promise<HostRecord | null>
}

export function isOutside(hours: AllowedHours | null, now: UnixSeconds): hours is AllowedHours {
  return hours !== null && nextAllowed(now, hours) !== now
}

/** The page alone waits: its host is as free as it was. Where that was asked all the same, its record is stored. */
export async function putOff(
  lease: Lease,
  {
    due,
    store,
    host,
  }: { readonly due: Due; readonly store: Store; readonly host?: HostRecord | undefined },
): Promise<MadeVisit> {
  if (host !== undefined) await store.putHosts([host])
  await store.changePage(lease.page, { due })
  await store.releaseLeases([lease])
  return { report: null, hostRests: host !== undefined && host.blockedUntil !== null }
}

/** Our own budget is used up: the page stays due, and its host as free as it was. */
export async function keptDue(
  lease: Lease,
  parts: {
    readonly opens: UnixSeconds
    readonly store: Store
    readonly host: HostRecord | undefined
  },
): Promise<MadeVisit> {
  const { opens, store, host } = parts
  // Its robots.txt may have been asked for all the same.
  if (host !== undefined) await store.putHosts([host])
  await store.releaseLeases([lease])
  return { report: null, hostRests: false, budgetOpens: opens }
}

/**
 * A host that was to be asked rests: no page of it is leased before `until`.
 * `host` is the record of the page's own host, if that is the one. Where the
 * page has moved to another, that one's rest is no reason to leave the pages
 * of its own host alone: then the page waits for itself.
 */
export async function postponed(
  lease: Lease,
  rest: {
    readonly host: HostRecord | undefined
    readonly until: UnixSeconds
    readonly hours: AllowedHours | null
  },
  { store, hostBefore }: PutOffParts,
): Promise<MadeVisit> {
  const { page } = lease
  const { host, until, hours } = rest
  if (host === undefined && page.movedTo !== null) {
    const reason = `it has moved to ${new URL(page.movedTo).host}, which rests until then`
    return putOff(lease, { due: dueWithin({ at: until, reason }, hours), store })
  }
  // What politeness knows of the host stays: its robots.txt, its failures, the day's requests.
  const known = host ?? (await hostBefore(page)) ?? { host: page.host, state: null }
  await store.putHosts([{ ...known, blockedUntil: until }])
  await store.releaseLeases([lease])
  return { report: null, hostRests: true }
}
