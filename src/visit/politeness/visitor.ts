import { webHostOf, webSiteOf } from '../../formats/url.js'
import { PageError } from '../../model/errors.js'
import type {
  Admitted,
  FetchAnswer,
  FetchRequest,
  HostAccess,
  Offered,
  PoliteVisit,
  Visitor,
} from '../../model/fetcher.js'
import type { HostRecord, Lease } from '../../model/lease.js'
import type { Seconds } from '../../model/units.js'
import type { SharedBudget } from './day-budget.js'
import type { HostGate } from './host-gate.js'
import { HostHolds, VisitHolds } from './host-holds.js'
import { delayOf, type HostState, recordOf } from './host-state.js'
import type { Ended, Permitted, PoliteVisitor, Visit } from './polite-visitor.js'
import type { Book, Hold } from './request-chain.js'

/** Before a host is asked for again that another holds, at least. */
const askAgain: Seconds = 1
/** How long the end of a client's request waits for a host that another has just then. */
const reportPatience: Seconds = 1

/** What one visit holds, and how it is booked. */
interface About extends Ended<PoliteVisit> {
  readonly hostAccess: HostAccess
  /** The host that the caller holds. */
  readonly held: string | undefined
  readonly hold: Hold
}

/**
 * Politeness that is kept in a store. A host is asked only while it is ours: by
 * the lease of its page, which brings its record, or held for the visit where
 * that is led elsewhere. Its record is booked before the host is asked, so that
 * a killed process forgets no delay; and where all processes share a budget of
 * requests, one of it is claimed before.
 */
export class StoredVisitor implements Visitor {
  readonly #visitor: PoliteVisitor
  readonly #gate: HostGate
  readonly #holds: HostHolds
  readonly #budget: SharedBudget | null
  #last: { readonly hostAccess: HostAccess; readonly book: Book } | undefined

  constructor(parts: {
    readonly visitor: PoliteVisitor
    readonly gate: HostGate
    readonly budget?: SharedBudget | null
  }) {
    this.#visitor = parts.visitor
    this.#gate = parts.gate
    this.#holds = new HostHolds(parts.gate)
    this.#budget = parts.budget ?? null
  }

  leased(lease: Lease): void {
    const { host, token, expiresAt } = lease
    this.#gate.hold(host, { token, expiresAt, record: () => lease.hostRecord ?? null })
  }

  ended(lease: Pick<Lease, 'host' | 'expiresAt'>): void {
    this.#gate.letGo(lease)
  }

  hostNow(host: string): HostRecord | undefined {
    return this.#gate.holds(host) ? this.#record(this.#gate.state(host)) : undefined
  }

  /** Nobody is waited for who is not needed, and nothing made: every visit comes through here. */
  begin(
    request: FetchRequest,
    hostAccess: HostAccess,
    home?: string,
  ): Admitted | PoliteVisit | Promise<Admitted | PoliteVisit> {
    const name = webHostOf(request.url)
    const held = home !== undefined && this.#gate.holds(home) ? home : undefined
    const about = this.#about(hostAccess, held)
    const isHome = name === undefined || name === held
    const budget = this.#counting
    if (budget === null && isHome) return this.#begin(request, about)
    return this.#counts(() =>
      isHome ? this.#begin(request, about) : this.#elsewhere(request, name, about),
    )
  }

  /** The host is held only until it is booked: whoever leased the page has it from then on. */
  async offer(
    request: FetchRequest,
    hostAccess: HostAccess,
    { home, ahead }: { readonly home: string; readonly ahead: Seconds },
  ): Promise<Offered | PoliteVisit> {
    const site = webSiteOf(request.url)
    const { hold, end } = this.#about(hostAccess, undefined)
    const offer = async (): Promise<Offered | PoliteVisit> => {
      if (!(await hold(site.host, { patience: 0, beside: true }))) return this.#taken(site.host)
      try {
        const offered = this.#visitor.offer(site, ahead)
        if (offered.kind === 'offered') return offered
        return this.#stored({ ...offered, hosts: [this.#gate.state(site.host)] }, home)
      } finally {
        await end()
      }
    }
    return this.#counts(offer)
  }

  /**
   * The record of the page's own host is for the caller to store. Another is
   * held for it, so that no failure is lost to somebody who changes it at the
   * same time; where it cannot be had, what the server asked for is still kept.
   */
  async reported(
    answer: FetchAnswer,
    hostAccess: HostAccess,
    about: { readonly host: string; readonly home: string; readonly record: HostRecord | null },
  ): Promise<PoliteVisit> {
    const { host, home, record } = about
    const { hold, end } = this.#about(hostAccess, undefined)
    const ours = host === home || this.#gate.holds(host)
    const held = ours || (await hold(host, { patience: reportPatience, beside: true }))
    const state = this.#gate.endedElsewhere(host, record, answer)
    if (!held) await hostAccess.book(this.#record(state), { held: false })
    await end()
    return this.#stored({ kind: 'answered', answer, hosts: [state] }, home)
  }

  /** Where no budget is set nobody counts, and nothing is written for it. */
  get #counting(): SharedBudget | null {
    return this.#gate.politeness.requestsPerDay === null ? null : this.#budget
  }

  #counts<T>(begin: () => T | Promise<T>): T | Promise<T> {
    const budget = this.#counting
    return budget === null ? begin() : budget.claimed(begin)
  }

  #about(hostAccess: HostAccess, held: string | undefined): About {
    let holds: VisitHolds | undefined
    const hold: Hold = (host, terms) => {
      holds ??= new VisitHolds({ holds: this.#holds, gate: this.#gate, hostAccess, home: held })
      return holds.hold(host, terms)
    }
    // Gives back what was held; nothing is to be waited for where nothing was.
    const end = () => holds?.end()
    const over = (visit: Visit) => {
      const stored = this.#stored(visit, held)
      const ended = end()
      return ended === undefined ? stored : ended.then(() => stored)
    }
    return { hostAccess, held, hold, over, end }
  }

  /** A page that has moved, or a request without a lease. */
  async #elsewhere(
    request: FetchRequest,
    name: string,
    about: About,
  ): Promise<Admitted | PoliteVisit> {
    const held = await about.hold(name, { patience: 0, beside: true })
    return held ? this.#begin(request, about) : this.#taken(name)
  }

  /** Another has the host just now. */
  #taken(host: string): PoliteVisit {
    const turn = Math.max(askAgain, delayOf(this.#gate.state(host), this.#gate.politeness))
    return { kind: 'wait', until: this.#gate.clock.now() + turn, hosts: [] }
  }

  #begin(
    request: FetchRequest,
    about: About,
  ): Admitted | PoliteVisit | Promise<Admitted | PoliteVisit> {
    const { hostAccess, hold, end } = about
    const { signal } = hostAccess
    const book = this.#bookOf(hostAccess)
    const options = signal === undefined ? { book, hold } : { book, hold, signal }
    const begun = this.#visitor.begin(request, options)
    if (!(begun instanceof Promise)) return this.#begun(begun, about)
    return begun.then(
      (later) => this.#begun(later, about),
      async (error: unknown) => {
        await end()
        throw error
      },
    )
  }

  #begun(begun: Permitted | Visit, about: About): Admitted | PoliteVisit | Promise<PoliteVisit> {
    if (begun.kind !== 'permitted') return about.over(begun)
    return { kind: 'admitted', fetch: () => this.#visitor.fetch(begun, about) }
  }

  /** A loop gives the same access to all its visits. */
  #bookOf(hostAccess: HostAccess): Book {
    if (this.#last?.hostAccess === hostAccess) return this.#last.book
    const book = (state: HostState) => {
      const record = this.#record(state)
      // Without a delay there is nothing that a restart could forget.
      return record.blockedUntil === null ? undefined : hostAccess.book(record).then(checkOurs)
    }
    this.#last = { hostAccess, book }
    return book
  }

  /** With the record of the host that the caller holds: those of others are stored as they are given back. */
  #stored(visit: Visit, held: string | undefined): PoliteVisit {
    const [first] = visit.hosts
    const isOwn = first?.host === held
    const own = isOwn ? first : visit.hosts.find((state) => state.host === held)
    const hosts = own === undefined ? [] : [this.#record(own)]
    if (visit.kind === 'answered') {
      const { kind, answer } = visit
      if (isOwn || first === undefined) return { kind, answer, hosts }
      return { kind, answer, hosts, asked: this.#record(first) }
    }
    if (visit.kind === 'deferred')
      return { kind: visit.kind, until: visit.until, host: visit.host, hosts }
    return { kind: visit.kind, until: visit.until, hosts }
  }

  #record(state: HostState): HostRecord {
    return recordOf(state, this.#gate.clock.now())
  }
}

/** One request outside a loop: a list of pages, or a repeat of a visit. */
export async function visitOnce(
  visitor: Visitor,
  request: FetchRequest,
  { hostAccess, home }: { readonly hostAccess: HostAccess; readonly home?: string },
): Promise<PoliteVisit> {
  const begun = await visitor.begin(request, hostAccess, home)
  return begun.kind === 'admitted' ? begun.fetch() : begun
}

/** A visit that outlasts its lease must not ask a host that another holds by now. */
function checkOurs(ours: boolean): void {
  if (!ours)
    throw new PageError(
      'host-lost',
      'its host was given to another process, since the visit took longer than its lease',
    )
}
