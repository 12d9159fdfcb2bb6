import type { Permit } from '../gate/admission.js'
import type { HostGate } from '../gate/host-gate.js'
import type { HostState, RequestEnd } from '../gate/host-state.js'
import type { VisitEnd } from './polite-visit.js'

/**
 * The way of one visit from request to request. It holds the leave of one host
 * at a time: two visits that each kept a host while they wait for the other's
 * would wait for ever.
 */
export class Course {
  #permit: Permit | undefined
  readonly #start: string
  /** Other hosts that were met; made at the first, since most visits meet none. */
  #others: string[] | undefined
  /** Why a redirect was not followed, where it is not that robots.txt forbids it. */
  end: VisitEnd | undefined

  constructor(permit: Permit, others?: string[]) {
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

  /** The next request has its leave. */
  goesOn(permit: Permit): void {
    this.#permit = permit
  }

  ended(end: RequestEnd): void {
    this.#permit?.leave(end)
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
