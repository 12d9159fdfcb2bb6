import { hostOf, type Site, siteOf } from '../../formats/url.js'
import { OptionError, PageError } from '../../model/errors.js'
import type {
  FetchAnswer,
  FetchRequest,
  HostAccess,
  PoliteVisit as StoredVisit,
  Visitor,
} from '../../model/fetcher.js'
import type { HostRecord, Lease } from '../../model/lease.js'
import type { HostGate, Permit } from './host-gate.js'
import { HostHolds, VisitHolds } from './host-holds.js'
import { delayOf, type HostState, recordOf } from './host-state.js'
import { HostTurns, PageRedirects } from './redirects.js'
import {
  type Book,
  bookedPermit,
  type Hold,
  notAdmitted,
  type PoliteVisit,
  type PoliteVisitorOptions,
  patient,
  RequestChain,
  type VisitEnd,
  type VisitOptions,
} from './request-chain.js'
import { allowsPath, type RobotsRecord, RobotsService } from './robots.js'

/**
 * Visits pages as their hosts ask for it: robots.txt first, then the gate, then
 * the request; and the same again for each host that a redirect leads to.
 */
export class PoliteVisitor {
  readonly #with: PoliteVisitorOptions
  readonly #robots: RobotsService
  readonly #redirects: PageRedirects

  constructor(options: PoliteVisitorOptions) {
    const turns = new HostTurns(options)
    this.#with = options
    this.#robots = new RobotsService({ ...options, turns })
    this.#redirects = new PageRedirects({ ...options, turns, robotsService: this.#robots })
  }

  /**
   * Each step goes on at once where there is nothing to wait for: every visit
   * comes through here, and whatever is waited for takes its time.
   */
  visit(request: FetchRequest, options: VisitOptions = {}): Promise<PoliteVisit> {
    const site = siteOf(request.url)
    if (site === undefined)
      return Promise.reject(new OptionError('bad-url', `"${request.url}" is no web address`))
    const asked = { request, options, site, met: undefined }
    const robots = this.#robots.current(site)
    return robots === undefined ? this.#afterRobots(asked) : this.#enter(robots, asked)
  }

  async #afterRobots(asked: Asked): Promise<PoliteVisit> {
    const { gate } = this.#with
    const { site, options } = asked
    const met: string[] = []
    const enter = gate.enter.bind(gate)
    const robots = await this.#robots.fresh(site, { options, enter, met })
    return 'kind' in robots
      ? this.#ended(robots, { ...asked, met })
      : this.#enter(robots, { ...asked, met })
  }

  #enter(robots: RobotsRecord, asked: Asked): Promise<PoliteVisit> {
    const { gate } = this.#with
    const { site, options } = asked
    if (!allowsPath(robots, site.path)) return Promise.resolve(this.#notAllowed(robots, asked))
    const entered = gate.tryEnter(site.host)
    if (entered.admitted) return this.#booked(entered.permit, asked)
    return gate
      .enter(site.host, patient(options))
      .then((later) =>
        later.admitted ? this.#booked(later.permit, asked) : this.#ended(notAdmitted(later), asked),
      )
  }

  /** A robots.txt that cannot be had forbids nothing for good: the page waits until it is asked for again. */
  #notAllowed({ verdict, until }: RobotsRecord, asked: Asked): PoliteVisit {
    const kind = verdict === 'disallow-all' ? 'wait' : 'disallowed'
    return this.#ended({ kind, until }, asked)
  }

  #ended(how: VisitEnd, { site, met = [] }: Asked): PoliteVisit {
    const { gate } = this.#with
    return { ...how, hosts: [site.host, ...met].map((each) => gate.state(each)) }
  }

  #booked(permit: Permit, asked: Asked): Promise<PoliteVisit> {
    const { gate, clock } = this.#with
    const booking = bookedPermit(permit, { gate, clock, book: asked.options.book })
    if (booking === undefined) return this.#ask(permit, asked)
    return booking.then(() => this.#ask(permit, asked))
  }

  /** The request itself, and those that redirects lead to. */
  #ask(permit: Permit, { request, options, met }: Asked): Promise<PoliteVisit> {
    const chain = new RequestChain(permit, met)
    const mayFollow = (url: string) => this.#redirects.mayFollow(url, { chain, options })
    const { signal } = options
    const fetchOptions = signal === undefined ? { mayFollow } : { signal, mayFollow }
    const answered = (answer: FetchAnswer): PoliteVisit => {
      chain.ended(answer)
      const hosts = chain.states(this.#with.gate)
      return chain.end === undefined ? { kind: 'answered', answer, hosts } : { ...chain.end, hosts }
    }
    const failed = (error: unknown) => {
      chain.calledOff(error)
      return Promise.reject(error)
    }
    try {
      return this.#with.fetcher.fetch(request, fetchOptions).then(answered, failed)
    } catch (error) {
      return failed(error)
    }
  }
}

interface Asked {
  readonly request: FetchRequest
  readonly options: VisitOptions
  readonly site: Site
  /** Other hosts that the redirects of robots.txt led to. */
  readonly met: string[] | undefined
}

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
  #last: { readonly hostAccess: HostAccess; readonly book: Book } | undefined

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
  visit(request: FetchRequest, hostAccess: HostAccess, home?: string): Promise<StoredVisit> {
    const name = hostOf(request.url)
    const held = home !== undefined && this.#gate.holds(home) ? home : undefined
    let holds: VisitHolds | undefined
    const hold: Hold = (host, terms) => {
      holds ??= new VisitHolds({ holds: this.#holds, gate: this.#gate, hostAccess, home: held })
      return holds.hold(host, terms)
    }
    const end = () => holds?.end()
    const about = { hostAccess, held, hold, end }
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

  #visit(request: FetchRequest, { hostAccess, held, hold, end }: About): Promise<StoredVisit> {
    const { signal } = hostAccess
    const book = this.#bookOf(hostAccess)
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

  /** With the record of the host that the caller holds: those of others were stored as they were given back. */
  #stored(visit: PoliteVisit, held: string | undefined): StoredVisit {
    const [first] = visit.hosts
    const own = first?.host === held ? first : visit.hosts.find((state) => state.host === held)
    const hosts = own === undefined ? [] : [this.#record(own)]
    if (visit.kind === 'answered') return { kind: visit.kind, answer: visit.answer, hosts }
    if (visit.kind === 'deferred')
      return { kind: visit.kind, until: visit.until, host: visit.host, hosts }
    return { kind: visit.kind, until: visit.until, hosts }
  }

  #record(state: HostState): HostRecord {
    return recordOf(state, this.#gate.clock.now())
  }
}

interface About {
  readonly hostAccess: HostAccess
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
