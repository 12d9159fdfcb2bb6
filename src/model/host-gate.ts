import type { FetchAnswer } from './fetcher.js'
import type { HostRecord } from './host-record.js'
import type { UnixSeconds } from './units.js'

/**
 * Whether a page may be requested now. The host's record must be remembered
 * before the request is made: a process that is killed must not forget that
 * it has just asked.
 */
export type Admission =
  | { readonly kind: 'go'; readonly host: HostRecord }
  | { readonly kind: 'wait'; readonly until: UnixSeconds; readonly host: HostRecord }
  /** robots.txt says no. */
  | { readonly kind: 'forbidden'; readonly reason: string; readonly host: HostRecord }

/** Politeness towards one host at a time: robots.txt, delays, budgets, Retry-After. */
export interface HostGate {
  /** Asks leave for one request; reads robots.txt first where it is not known. */
  admit(request: {
    readonly url: string
    readonly host: string
    /** What was remembered of the host; null where nothing was. */
    readonly record: HostRecord | null
    readonly now: UnixSeconds
    readonly signal?: AbortSignal
  }): Promise<Admission>
  /** The host's record after an answer. */
  settle(request: {
    readonly record: HostRecord
    readonly answer: FetchAnswer
    readonly now: UnixSeconds
  }): HostRecord
}
