import type { PageRecord, PageRef } from './page.js'
import type { Json, Seconds, UnixSeconds } from './units.js'

/** One host of a collection: how many pages of it are followed, and since when one is due. */
export interface HostSummary {
  readonly host: string
  readonly pages: number
  /** The earliest due time of its pages; null where none is due ever. */
  readonly firstDue: UnixSeconds | null
  readonly blockedUntil: UnixSeconds | null
  /** When a page of it was last visited. */
  readonly lastVisit: UnixSeconds | null
}

/** A stretch of the hosts of a collection, by name. */
export interface HostQuery {
  readonly collection: string
  readonly nameContains?: string
  /** Only hosts that rest at this time. */
  readonly restingAt?: UnixSeconds
  readonly limit: number
  /** Where the stretch before ended. */
  readonly after?: string
}

export interface HostList {
  readonly hosts: readonly HostSummary[]
  /** For the next stretch; null at the end. */
  readonly next: string | null
}

/**
 * Orders the records of a host. The token is that of the lease or hold under
 * which the record was made, the step counts the changes under it.
 */
export interface HostFence {
  readonly token: number
  readonly step: number
}

/** Whether a record may take the place of another: never one that was made before it. */
export function mayReplace(record: Pick<HostRecord, 'fence'>, before: HostFence | undefined) {
  const { fence } = record
  if (fence === undefined || before === undefined) return true
  return fence.token === before.token ? fence.step >= before.step : fence.token > before.token
}

/** What politeness remembers of a host, for all collections; the store reads only `blockedUntil` and `fence`. */
export interface HostRecord {
  readonly host: string
  readonly state: Json
  /** How publishers' hints did on this host; what is left out stays as it was. */
  readonly hints?: Json
  /** No page of this host is leased before. */
  readonly blockedUntil: UnixSeconds | null
  /** A record with one that is older than the store's is not written; one without is written in any case. */
  readonly fence?: HostFence
}

/**
 * Of two records of a host the newer one, with the hints of the other where it
 * has none. A visit that took long to read may be reported after one that came
 * later.
 */
export function newerHost(before: HostRecord | undefined, record: HostRecord): HostRecord {
  if (before === undefined) return record
  const newer = mayReplace(record, before.fence) ? record : before
  const hints = record.hints ?? before.hints
  return hints === undefined || hints === newer.hints ? newer : { ...newer, hints }
}

/**
 * A host that one worker alone may ask, until it gives it back or the hold runs
 * out. A record written under an older token is refused from then on.
 */
export interface HostHold {
  readonly host: string
  readonly token: number
  readonly worker: string
  readonly expiresAt: UnixSeconds
  /** As it is now; null where nothing is known of the host. */
  readonly record: HostRecord | null
}

/**
 * Proof that a worker may visit a page and report on it. The token grows with
 * every lease given (a fencing token): once a lease has run out and been given
 * to another, the token no longer fits and the late report is refused.
 */
export interface LeaseRef {
  readonly page: { readonly id: string }
  readonly token: number
}

export interface Lease extends LeaseRef {
  readonly page: PageRecord
  /** Of the page; a lease that is packed knows it without unpacking. */
  readonly host: string
  readonly worker: string
  readonly expiresAt: UnixSeconds
  /** Of the host that it holds, as it was then; null where nothing is known, left out where nobody asked the store. */
  readonly hostRecord?: HostRecord | null
}

/** Who leases, when, and for how long. */
export interface LeaseTerms {
  readonly now: UnixSeconds
  readonly ttl: Seconds
  readonly worker: string
}

export interface LeaseRequest extends LeaseTerms {
  readonly collection: string
  readonly limit: number
  /** Only pages of this host. */
  readonly host?: string
  /** At most so many pages of one host are leased at a time, over all collections. */
  readonly perHost: number
  /** A worker may hold up to so many of a host, to visit one after another; by default `perHost`. */
  readonly ahead?: number
}

/** Pages by name, due or not. */
export interface ChosenRequest
  extends LeaseTerms,
    Partial<Pick<LeaseRequest, 'perHost' | 'ahead'>> {
  readonly pages: readonly PageRef[]
}

/** What a lease that might be given later would be asked for. */
export interface NextDueRequest extends Pick<LeaseRequest, 'collection' | 'host' | 'perHost'> {
  readonly now: UnixSeconds
  /** Who asks; by default somebody who holds nothing. */
  readonly worker?: string
}
