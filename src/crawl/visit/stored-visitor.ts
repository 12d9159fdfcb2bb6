import {
  type FetchRequest,
  type HostRecord,
  type Lease,
  PageError,
  type PoliteVisit as StoredVisit,
  type VisitLeave,
  type Visitor,
} from '../../model/index.js'
import type { HostGate } from '../gate/host-gate.js'
import { delayOf, type HostState, recordOf } from '../gate/host-state.js'
import { hostOf } from '../url/site.js'
import type { Book } from './booking.js'
import { HostHolds, VisitHolds } from './host-holds.js'
import type { PoliteVisit } from './polite-visit.js'
import type { PoliteVisitor } from './polite-visitor.js'
import type { Hold } from './visit-options.js'

/** Before a host is asked for again that another holds, at least. */
const askAgain = 1

/**
 * Polite visits for a loop that keeps politeness in a store. A host is asked
 * only while it is ours: by the lease of its page, which brings its record, or
 * held for the visit where that is led elsewhere. Its record is booked before
 * the host is asked, so that a killed process forgets no delay.
 */
export class StoredVisitor implements Visitor {
  readonly #visitor: PoliteVisitor
  readonly #gate: HostGate
  readonly #holds: HostHolds
  #last: { readonly leave: VisitLeave; readonly book: Book } | undefined

  constructor(parts: { visitor: PoliteVisitor; gate: HostGate }) {
    this.#visitor = parts.visitor
    this.#gate = parts.gate
    this.#holds = new HostHolds(parts.gate)
  }

  leased(lease: Lease): void {
    const { host, token, expiresAt } = lease
    this.#gate.hold(host, { token, expiresAt, record: () => lease.hostRecord ?? null })
  }

  ended({ host }: Pick<Lease, 'host'>): void {
    this.#gate.letGo(host)
  }

  /** Nobody is waited for who is not needed, and nothing made: every visit comes through here. */
  visit(request: FetchRequest, leave: VisitLeave, home?: string): Promise<StoredVisit> {
    const name = hostOf(request.url)
    const held = home !== undefined && this.#gate.holds(home) ? home : undefined
    let holds: VisitHolds | undefined
    const hold: Hold = (host, terms) => {
      holds ??= new VisitHolds({ holds: this.#holds, gate: this.#gate, leave, home: held })
      return holds.hold(host, terms)
    }
    const end = () => holds?.end()
    const about = { leave, held, hold, end }
    return name === undefined || name === held
      ? this.#visit(request, about)
      : this.#elsewhere(request, name, about)
  }

  hostNow(host: string): HostRecord | undefined {
    return this.#gate.holds(host) ? this.#record(this.#gate.state(host)) : undefined
  }

  /** A page that has moved, or a request without a lease. */
  async #elsewhere(request: FetchRequest, name: string, about: About): Promise<StoredVisit> {
    if (await about.hold(name, { patience: 0, beside: true })) return this.#visit(request, about)
    const turn = Math.max(askAgain, delayOf(this.#gate.state(name), this.#gate.politeness))
    return { kind: 'wait', until: this.#gate.clock.now() + turn, hosts: [] }
  }

  #visit(request: FetchRequest, { leave, held, hold, end }: About): Promise<StoredVisit> {
    const { signal } = leave
    const book = this.#bookOf(leave)
    const options = signal === undefined ? { book, hold } : { book, hold, signal }
    return this.#visitor.visit(request, options).then(
      (visit) => {
        const stored = this.#stored(visit, held)
        const ended = end()
        return ended === undefined ? stored : ended.then(() => stored)
      },
      async (error: unknown) => {
        await end()
        throw error
      },
    )
  }

  /** A loop gives the same leave to all its visits. */
  #bookOf(leave: VisitLeave): Book {
    if (this.#last?.leave === leave) return this.#last.book
    const book = (state: HostState) => {
      const record = this.#record(state)
      // Without a delay there is nothing that a restart could forget.
      return record.blockedUntil === null ? undefined : leave.book(record).then(checkOurs)
    }
    this.#last = { leave, book }
    return book
  }

  /** With the record of the host that the caller holds: those of others were stored as they were given back. */
  #stored(visit: PoliteVisit, held: string | undefined): StoredVisit {
    const [first] = visit.hosts
    const own = first?.host === held ? first : visit.hosts.find((state) => state.host === held)
    const hosts = own === undefined ? [] : [this.#record(own)]
    if (visit.kind === 'answered') return { kind: visit.kind, answer: visit.answer, hosts }
    if (visit.kind === 'put-off')
      return { kind: visit.kind, until: visit.until, host: visit.host, hosts }
    return { kind: visit.kind, until: visit.until, hosts }
  }

  #record(state: HostState): HostRecord {
    return recordOf(state, this.#gate.clock.now())
  }
}

interface About {
  readonly leave: VisitLeave
  /** The host that the caller holds. */
  readonly held: string | undefined
  readonly hold: Hold
  /** Gives back what was held; undefined where nothing was. */
  readonly end: () => Promise<void> | undefined
}

/** A visit that outlasts its lease must not ask a host that another holds by now. */
function checkOurs(ours: boolean): void {
  if (!ours)
    throw new PageError(
      'host-lost',
      'its host was given to another process, since the visit took longer than its lease',
    )
}
