import { PageError } from '../../model/errors.js'
import type { HostAccess, VisitEnd } from '../../model/fetcher.js'
import type { Seconds } from '../../model/units.js'
import type { HostGate, Refusal, RequestPermit } from './host-gate.js'
import type { VisitHolds } from './host-holds.js'
import { type HostState, type RequestEnd, recordOf } from './host-state.js'

/** What all requests of a visit are made with. */
export interface VisitTerms {
  readonly hostAccess: HostAccess
  readonly holds: VisitHolds
  /** Of the page: its robots.txt is asked for by the same way. */
  readonly proxy: string | undefined
}

/** The end of a visit that was not admitted to the page's host. */
export function notAdmitted({ at, spent }: Refusal): VisitEnd & { kind: 'wait' | 'spent' } {
  return { kind: spent === true ? 'spent' : 'wait', until: at }
}

/** The end of a visit whose request was not sent, since its permit had run out: nothing was seen of the page. */
export function calledOff({ nextAllowedAt }: HostState): VisitEnd {
  return { kind: 'wait', until: nextAllowedAt }
}

/** Of the delay, by how much it is booked for longer at first. */
const firstMargin = 0.1
/** At least this long, or as long as the delay: a busy machine takes its time to connect. */
const leastMargin: Seconds = 1

/**
 * Books a host, which has given its permission, before it is asked: a process
 * that is killed while it waits for the answer has not forgotten the delay. The
 * host stays open where its booking fails: then nothing was asked of it.
 * Undefined without a delay: there is nothing that a restart could forget.
 */
export function bookedPermit(
  permit: RequestPermit,
  { gate, hostAccess }: { readonly gate: HostGate; readonly hostAccess: HostAccess },
): Promise<void> | undefined {
  const state = gate.state(permit.host)
  const began = gate.clock.now()
  const delay = state.nextAllowedAt - began
  if (delay <= 0) return undefined
  return bookedAhead(permit, { gate, hostAccess, state, began, delay })
}

/**
 * The request goes out when its booking is on the disk, which may take a while:
 * a delay that counted from before would be short by that much after a kill. So
 * it is booked for longer, and again with twice as much if that was not enough.
 * Once the request has ended, the true delay takes its place. The permit learns
 * up to when its request may go out.
 */
async function bookedAhead(
  permit: RequestPermit,
  booking: {
    readonly gate: HostGate
    readonly hostAccess: HostAccess
    readonly state: HostState
    readonly began: number
    readonly delay: number
  },
): Promise<void> {
  const { gate, hostAccess, state, began, delay } = booking
  const { clock } = gate
  const first = Math.min(delay, Math.max(leastMargin, firstMargin * delay))
  try {
    for (let margin = first; ; margin *= 2) {
      const latest = clock.now() + margin
      const ahead = { ...state, nextAllowedAt: state.nextAllowedAt + latest - began }
      if (!(await hostAccess.book(recordOf(ahead, clock.now())))) throw hostLost()
      if (clock.now() > latest) continue
      permit.bookedFor(latest)
      return
    }
  } catch (error) {
    permit.release('not-made')
    throw error
  }
}

/** A visit that outlasts its lease must not ask a host that another holds by now. */
function hostLost(): PageError {
  return new PageError(
    'host-lost',
    'its host was given to another process, since the visit took longer than its lease',
  )
}

/**
 * The way of one visit from request to request. It holds the permit of one host
 * at a time: two visits that each kept a host while they wait for the other's
 * would wait for ever.
 */
export class RequestChain {
  #permit: RequestPermit | undefined
  readonly #start: string
  #others: string[] | undefined
  /** Whether a request was not made because its permit had run out. */
  isCalledOff = false
  /** Why a redirect was not followed, where it is not that robots.txt forbids it. */
  end: VisitEnd | undefined

  constructor(permit: RequestPermit, others?: string[]) {
    this.#permit = permit
    this.#start = permit.host
    this.#others = others
  }

  /** Whether it began at this host. */
  startedAt(host: string): boolean {
    return host === this.#start
  }

  /** The request under way was answered by a redirect to this host. */
  ledTo(host: string): void {
    this.ended('redirected')
    this.met(host)
  }

  met(host: string): void {
    if (host === this.#start || this.#others?.includes(host)) return
    if (this.#others === undefined) this.#others = [host]
    else this.#others.push(host)
  }

  /** Whether the request whose turn it is may still go out; asked just before it does. */
  maySend(): boolean {
    const may = this.#permit?.holdsNow() ?? true
    if (!may) this.isCalledOff = true
    return may
  }

  /** The next request has its permit. */
  goesOn(permit: RequestPermit): void {
    this.#permit = permit
  }

  ended(end: RequestEnd): void {
    this.#permit?.release(end)
    this.#permit = undefined
  }

  /** A request that cannot be made at all throws; its host is not to stay closed for that. */
  calledOff(error: unknown): void {
    const message = String(error)
    this.ended({ kind: 'failed', fault: 'aborted', message, at: 0, bytesReceived: 0 })
  }

  /** Other hosts that were met; undefined where there are none, as for most visits. */
  get others(): string[] | undefined {
    return this.#others
  }
}
