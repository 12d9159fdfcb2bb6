import type { FetchAnswer, FetchRequest } from './fetcher.js'
import type { HostHold, HostRecord } from './host-record.js'
import type { Lease } from './lease.js'
import type { UnixSeconds } from './units.js'

/** How a polite visit ended. `hosts` has the record of the host that the caller holds, to be stored with it. */
export type PoliteVisit = { readonly hosts: readonly HostRecord[] } & (
  | { readonly kind: 'answered'; readonly answer: FetchAnswer }
  /** robots.txt says no; worth asking again after `until`. */
  | { readonly kind: 'disallowed'; readonly until: UnixSeconds }
  /** The page's host is not to be asked before `until`. */
  | { readonly kind: 'wait'; readonly until: UnixSeconds }
  /** A redirect leads to `host`, which is not to be asked before `until`; the page waits, its own host need not. */
  | { readonly kind: 'put-off'; readonly until: UnixSeconds; readonly host: string }
  /** Our own budget of requests is used up until then, for all hosts; none of them is to rest for it. */
  | { readonly kind: 'spent'; readonly until: UnixSeconds }
)

/** What a visitor asks of the store. */
export interface VisitLeave {
  /** Holds a host that the visit leads to; null while another holds it. */
  readonly hold: (host: string) => Promise<HostHold | null>
  /** Gives it back with its record, where that has changed. */
  readonly release: (hold: HostHold, record?: HostRecord) => Promise<unknown>
  /**
   * Remembers a host's record before it is asked: a process that is killed
   * while it waits for an answer must not forget that it has just asked.
   * Whether the host was still ours.
   */
  readonly book: (host: HostRecord) => Promise<boolean>
  readonly signal?: AbortSignal
}

/** Makes one visit as the host asks for it: robots.txt, delays and budgets, then the request. */
export interface Visitor {
  /** `home` is the host that the caller holds by a lease; any other is held for the visit. */
  visit(request: FetchRequest, leave: VisitLeave, home?: string): Promise<PoliteVisit>
  /** What politeness knows of a host now, as it is to be stored; undefined where it knows nothing. */
  hostNow?(host: string): HostRecord | undefined
  /** A page was leased: its host is ours, and its record as the lease brings it. */
  leased?(lease: Lease): void
  /** The lease has ended: without another of its host, the record is forgotten. */
  ended?(lease: Pick<Lease, 'host'>): void
}
