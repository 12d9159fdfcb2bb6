import type { FetchAnswer, FetchRequest } from './fetcher.js'
import type { HostRecord } from './host-record.js'
import type { UnixSeconds } from './units.js'

/** How a polite visit ended. `hosts` are the records that changed, to be stored with it. */
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

export interface VisitLeave {
  /** What the store remembers of a host, null where nothing; asked only of a host not known yet. */
  readonly host: (name: string) => Promise<HostRecord | null>
  /**
   * Remembers a host's record before it is asked: a process that is killed
   * while it waits for an answer must not forget that it has just asked.
   */
  readonly book: (host: HostRecord) => Promise<void>
  readonly signal?: AbortSignal
}

/** Makes one visit as the host asks for it: robots.txt, delays and budgets, then the request. */
export interface Visitor {
  visit(request: FetchRequest, leave: VisitLeave): Promise<PoliteVisit>
  /** What politeness knows of a host now, as it is to be stored; undefined where it knows nothing. */
  hostNow?(host: string): HostRecord | undefined
}
