import type { Fetcher, VisitEnd } from '../../model/fetcher.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { HostGate, Refusal, RequestPermit } from './host-gate.js'
import type { HostState, RequestEnd } from './host-state.js'

export interface PoliteVisitorOptions {
  readonly fetcher: Fetcher
  readonly gate: HostGate
  readonly clock: Clock
}

export interface VisitOptions {
  readonly signal?: AbortSignal
  /** Of the page: its robots.txt is asked for by the same way. */
  readonly proxy?: string
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

/** The end of a visit that was not admitted to the page's host. */
export function notAdmitted({ at, spent }: Refusal): VisitEnd & { kind: 'wait' | 'spent' } {
  return { kind: spent === true ? 'spent' : 'wait', until: at }
}

/** The end of a visit whose request was not sent, since its permit had run out: nothing was seen of the page. */
export function calledOff({ nextAllowedAt }: HostState): VisitEnd {
  return { kind: 'wait', until: nextAllowedAt }
}

/** Remembers a host's record; undefined where there is nothing to remember. */
export type Book = (state: HostState) => Promise<void> | undefined

/** Of the delay, by how much it is booked for longer at first. */
const firstMargin = 0.1
/** At least this long, or as long as the delay: a busy machine takes its time to connect. */
const leastMargin: Seconds = 1

/**
 * Books a host before it is asked. The request goes out when its booking is on
 * the disk, which may take a while: a delay that counted from before would be
 * short by that much after a kill. So it is booked for longer, and again with
 * twice as much if that was not enough. Once the request has ended, the true
 * delay takes its place. Gives the time up to which the request may go out,
 * where there is a delay.
 */
function booked(
  state: HostState,
  { book, clock }: { readonly book: Book; readonly clock: Clock },
): Promise<UnixSeconds | undefined> | undefined {
  const began = clock.now()
  const delay = state.nextAllowedAt - began
  if (delay > 0) return bookedAhead(state, { book, clock, began, delay })
  return book(state)?.then(() => undefined)
}

/** The same for a host that has given its permission; it stays open where its booking fails: then nothing was asked of it. */
export function bookedPermit(
  permit: RequestPermit,
  parts: { readonly gate: HostGate; readonly clock: Clock; readonly book: Book | undefined },
): Promise<void> | undefined {
  const { gate, clock, book } = parts
  if (book === undefined) return undefined
  return booked(gate.state(permit.host), { book, clock })?.then(
    (latest) => {
      if (latest !== undefined) permit.bookedFor(latest)
    },
    (error: unknown) => {
      permit.release('not-made')
      throw error
    },
  )
}

async function bookedAhead(
  state: HostState,
  {
    book,
    clock,
    began,
    delay,
  }: {
    readonly book: Book
    readonly clock: Clock
    readonly began: number
    readonly delay: number
  },
): Promise<UnixSeconds> {
  const first = Math.min(delay, Math.max(leastMargin, firstMargin * delay))
  for (let margin = first; ; margin *= 2) {
    const latest = clock.now() + margin
    await book({ ...state, nextAllowedAt: state.nextAllowedAt + latest - began })
    if (clock.now() <= latest) return latest
  }
}

/**
 * The way of one visit from request to request. It holds the permit of one host
 * at a time: two visits that each kept a host while they wait for the other's
 * would wait for ever.
 */
export class RequestChain {
  #permit: RequestPermit | undefined
  readonly #start: string
  /** Other hosts that were met; made at the first, since most visits meet none. */
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

  /** The records of all hosts it met. */
  states(gate: HostGate): HostState[] {
    const start = gate.state(this.#start)
    if (this.#others === undefined) return [start]
    return [start, ...this.#others.map((host) => gate.state(host))]
  }
}
