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
  /** The longest it waits for the page's host before it says `wait`; 0 unless said. */
  readonly patience?: Seconds
  /** Called with the host's record before each request, and waited for. */
  readonly book?: Book
  /** Called before a redirect to a host is followed, to let the gate know it. */
  readonly recall?: (host: string) => Promise<void> | undefined
}

export function signalOf({ signal }: VisitOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

export function patient(options: VisitOptions): { patience: Seconds; signal?: AbortSignal } {
  return { ...signalOf(options), patience: options.patience ?? 0 }
}
