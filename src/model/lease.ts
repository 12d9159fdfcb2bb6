import type { HostRecord } from './host-record.js'
import type { PageRecord, PageRef } from './page-record.js'
import type { Seconds, UnixSeconds } from './units.js'

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
