import {
  DAY,
  type FetchRequest,
  type HostRecord,
  type Json,
  type PoliteVisit as StoredVisit,
  type UnixSeconds,
  type VisitLeave,
  type Visitor,
} from '../../model/index.js'
import type { HostGate } from '../gate/host-gate.js'
import { type HostState, hostInTime } from '../gate/host-state.js'
import { hostOf } from '../url/site.js'
import type { PoliteVisit } from './polite-visit.js'
import type { PoliteVisitor } from './polite-visitor.js'
import type { VisitOptions } from './visit-options.js'

/** Longer than any delay, backoff, Retry-After or robots.txt that is believed. */
const longestRest = 31 * DAY

/**
 * Polite visits for a loop that keeps politeness in a store: a host's record
 * is taken from there when the gate does not know it, and booked there before
 * the host is asked, so that a killed process forgets no delay.
 */
export class StoredVisitor implements Visitor {
  readonly #visitor: PoliteVisitor
  readonly #gate: HostGate
  readonly #now: () => UnixSeconds
  #last: { readonly leave: VisitLeave; readonly options: VisitOptions } | undefined

  constructor(parts: { visitor: PoliteVisitor; gate: HostGate; now: () => UnixSeconds }) {
    this.#visitor = parts.visitor
    this.#gate = parts.gate
    this.#now = parts.now
  }

  /** Nobody is waited for who is not needed: every visit comes through here. */
  visit(request: FetchRequest, leave: VisitLeave): Promise<StoredVisit> {
    const name = hostOf(request.url)
    if (name === undefined || this.#gate.knows(name)) return this.#visit(request, leave)
    return leave.host(name).then((record) => {
      this.#recall(record)
      return this.#visit(request, leave)
    })
  }

  hostNow(host: string): HostRecord | undefined {
    return this.#gate.knows(host) ? this.#record(this.#gate.state(host)) : undefined
  }

  #visit(request: FetchRequest, leave: VisitLeave): Promise<StoredVisit> {
    const options = this.#optionsOf(leave)
    return this.#visitor.visit(request, options).then((visit) => this.#stored(visit))
  }

  /** A loop gives the same leave to all its visits. */
  #optionsOf(leave: VisitLeave): VisitOptions {
    if (this.#last?.leave === leave) return this.#last.options
    const { book, signal } = leave
    const booked = (state: HostState) => {
      const record = this.#record(state)
      // Without a delay there is nothing that a restart could forget.
      return record.blockedUntil === null ? undefined : book(record)
    }
    const recall = (host: string) =>
      this.#gate.knows(host) ? undefined : leave.host(host).then((record) => this.#recall(record))
    const options = { book: booked, recall, ...(signal === undefined ? {} : { signal }) }
    this.#last = { leave, options }
    return options
  }

  /** Field by field: copying takes several times as long. */
  #stored(visit: PoliteVisit): StoredVisit {
    const hosts = visit.hosts.map((state) => this.#record(state))
    if (visit.kind === 'answered') return { kind: visit.kind, answer: visit.answer, hosts }
    if (visit.kind === 'put-off')
      return { kind: visit.kind, until: visit.until, host: visit.host, hosts }
    return { kind: visit.kind, until: visit.until, hosts }
  }

  #recall(record: HostRecord | null): void {
    if (record === null || record.state === null || this.#gate.knows(record.host)) return
    const state = record.state as unknown as HostState
    this.#gate.remember(hostInTime(state, { now: this.#now(), longest: longestRest }))
  }

  #record(state: HostState): HostRecord {
    const blockedUntil = state.nextAllowedAt > this.#now() ? state.nextAllowedAt : null
    return { host: state.host, state: state as unknown as Json, blockedUntil }
  }
}
