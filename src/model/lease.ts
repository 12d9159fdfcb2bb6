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
  /**
   * While no other worker holds a page of a host, this one may hold up to so
   * many, to visit one after another; `perHost` unless said.
   */
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
}
