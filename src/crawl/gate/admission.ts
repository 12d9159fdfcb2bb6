import type { Seconds, UnixSeconds } from '../../model/index.js'
import type { HostState, RequestEnd } from './host-state.js'

/** Leave to make one request. */
export interface Permit {
  readonly host: string
  /** Must be called once, with how it ended; gives the record to store. */
  leave(end: RequestEnd): HostState
}

export type Admission = { readonly admitted: true; readonly permit: Permit } | Refusal

export interface Refusal {
  readonly admitted: false
  /** When to ask again. */
  readonly at: UnixSeconds
  /** Whether the budget of all requests is used up: no host is asked before then, through no fault of its own. */
  readonly spent?: true
}

/** How an admission is waited for. */
export interface EnterTerms {
  readonly patience: Seconds
  readonly signal?: AbortSignal | undefined
  /** Whether the request need no longer be made; asked after each wait, and ends it. */
  readonly needless?: () => boolean
}

/** What the holders of permits ask of the gate. */
type Leave = (host: string, end: RequestEnd) => HostState

export class HostPermit implements Permit {
  readonly host: string
  readonly #leave: Leave

  constructor(host: string, leave: Leave) {
    this.host = host
    this.#leave = leave
  }

  leave(end: RequestEnd): HostState {
    return this.#leave(this.host, end)
  }
}
