import { OptionError, PageError, type RevisitError } from '../model/errors.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { PageRecord } from '../model/page.js'
import type { Due } from '../model/policy.js'
import type { Store } from '../model/store.js'
import type { UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import { type AllowedHours, dueWithin, nextAllowed } from '../policies/allowed-hours.js'
import { afterFailure } from './backoff.js'
import { emptyVisit } from './report.js'

/** What became of a leased page; where there is no report, the store has all that follows. */
export interface MadeVisit {
  /** What is to be recorded; null where the page was given back unvisited. */
  readonly report: VisitReport | null
  /** Whether its host is to be left alone for a while. */
  readonly hostRests: boolean
  /** Where the day's budget of requests is used up: when it opens again. */
  readonly budgetOpens?: UnixSeconds
}

/** Until when a visit is paused, and what it keeps in memory meanwhile. */
export interface Rest {
  /** Never rejects. */
  readonly until: Promise<unknown>
  readonly bytes: number
}

export const notMade: MadeVisit = { report: null, hostRests: false }

export interface DeferParts {
  readonly store: Store
  /** What is known of the page's own host. */
  readonly hostBefore: (page: PageRecord) => Promise<HostRecord | null>
}

export function isOutside(hours: AllowedHours | null, now: UnixSeconds): hours is AllowedHours {
  return hours !== null && nextAllowed(now, hours) !== now
}

/** The page alone waits: its host is as free as it was. Where that was asked all the same, its record is stored. */
export async function deferVisit(
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
  { store, hostBefore }: DeferParts,
): Promise<MadeVisit> {
  const { page } = lease
  const { host, until, hours } = rest
  if (host === undefined && page.movedTo !== null) {
    const reason = `it has moved to ${new URL(page.movedTo).host}, which rests until then`
    return deferVisit(lease, { due: dueWithin({ at: until, reason }, hours), store })
  }
  // What politeness knows of the host stays: its robots.txt, its failures, the day's requests.
  const known = host ?? (await hostBefore(page)) ?? { host: page.host, state: null }
  await store.putHosts([{ ...known, blockedUntil: until }])
  await store.releaseLeases([lease])
  return { report: null, hostRests: true }
}

/** Whether only this page cannot be asked for or read, such as for a header that cannot be sent. */
export function isPageFault(error: unknown): error is OptionError | PageError {
  return error instanceof OptionError || error instanceof PageError
}

/** Makes whatever goes wrong in a step that is about one page alone that page's own fault. */
export function ofPage<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (isPageFault(error)) throw error
    throw new PageError('unreadable', (error as Error).message.slice(0, 200), { cause: error })
  }
}

/**
 * A visit that could not be made, because of what was set for its page: it
 * failed, and says why. The other pages must not wait for someone to mend it.
 */
export function unmadeReport(
  lease: Lease,
  { error, at }: { readonly error: RevisitError; readonly at: UnixSeconds },
): VisitReport {
  const { failing } = lease.page
  return {
    lease,
    visit: { ...emptyVisit, at, outcome: 'failed', fault: error.code },
    due: afterFailure(at, { failing, fault: error.code, message: error.message }),
  }
}
