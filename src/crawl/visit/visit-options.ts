import type { Clock, Fetcher, Seconds } from '../../model/index.js'
import type { HostGate } from '../gate/host-gate.js'
import type { Book } from './booking.js'

export interface PoliteVisitorOptions {
  readonly fetcher: Fetcher
  readonly gate: HostGate
  readonly clock: Clock
}

export interface VisitOptions {
  readonly signal?: AbortSignal
  /** The longest it waits for the page's host before it says `wait`; by default 0. */
  readonly patience?: Seconds
  /** Called with the host's record before each request, and waited for. */
  readonly book?: Book
  /** Called before a redirect to a host is followed, to make the host ours; whether it is. */
  readonly hold?: Hold
}

/** Holds a host for the visit, waiting as long as `patience` for others who hold it. */
export type Hold = (
  host: string,
  terms: {
    readonly patience: Seconds
    /** Whether the hosts that are held already are needed after it; they are given back where not. */
    readonly beside: boolean
  },
) => Promise<boolean>

export function signalOf({ signal }: VisitOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

export function patient(options: VisitOptions): { patience: Seconds; signal?: AbortSignal } {
  return { ...signalOf(options), patience: options.patience ?? 0 }
}
