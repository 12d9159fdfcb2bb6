import type { FetchAnswer, UnixSeconds } from '../../model/index.js'
import type { Refusal } from '../gate/admission.js'
import type { HostState } from '../gate/host-state.js'

/** How a polite visit ended. `hosts` are the records that changed, to be stored with it. */
export type PoliteVisit = { readonly hosts: readonly HostState[] } & VisitEnd

/** The same without them: an answer, or why the page was not asked for. */
export type VisitEnd =
  | { readonly kind: 'answered'; readonly answer: FetchAnswer }
  /** robots.txt says no; worth asking again after `until`. */
  | { readonly kind: 'disallowed'; readonly until: UnixSeconds }
  /** The page's host is not to be asked before `until`; nothing was fetched, but perhaps its robots.txt. */
  | Wait
  /** A redirect leads to `host`, which is not to be asked before `until`. */
  | { readonly kind: 'put-off'; readonly until: UnixSeconds; readonly host: string }
  | Spent

export interface Wait {
  readonly kind: 'wait'
  readonly until: UnixSeconds
}

/** Our own budget of requests is used up until then; the host would have given its leave. */
export interface Spent {
  readonly kind: 'spent'
  readonly until: UnixSeconds
}

/** The end of a visit that was not admitted to the page's host. */
export function notAdmitted({ at, spent }: Refusal): Wait | Spent {
  return { kind: spent === true ? 'spent' : 'wait', until: at }
}
