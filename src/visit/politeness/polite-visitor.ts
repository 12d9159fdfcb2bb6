import type { PageRenderer } from '../../fetch/page-renderer.js'
import { type Site, webSiteOf } from '../../formats/url.js'
import type {
  Admitted,
  FetchAnswer,
  Fetcher,
  FetchOptions,
  FetchRequest,
  HostAccess,
  Offered,
  PoliteVisit,
  VisitEnd,
  Visitor,
} from '../../model/fetcher.js'
import type { HostRecord, Lease } from '../../model/lease.js'
import type { Seconds } from '../../model/units.js'
import type { SharedBudget } from './day-budget.js'
import type { HostGate, RequestPermit } from './host-gate.js'
import { HostHolds, VisitHolds } from './host-holds.js'
import { delayOf, type HostState, recordOf } from './host-state.js'
import { HostTurns } from './host-turns.js'
import { PageRedirects } from './redirects.js'
import {
  bookedPermit,
  calledOff,
  notAdmitted,
  RequestChain,
  type VisitTerms,
} from './request-chain.js'
import { RobotsService } from './robots.js'
import { forbiddenBy, type RobotsRecord } from './robots-record.js'

/** Before a host is asked for again that another holds, at least. */
const askAgain: Seconds = 1
/** How long the end of a client's request waits for a host that another has just then. */
const reportPatience: Seconds = 1

export interface PoliteVisitorOptions {
  readonly fetcher: Fetcher
  readonly gate: HostGate
  /** For pages that a browser renders; without it they are taken as they come. */
  readonly renderer?: Pick<PageRenderer, 'rendered'>
  /** Where all processes share a budget of requests. */
  readonly budget?: SharedBudget | null
}

/** One visit, from its beginning to its end. */
interface VisitUnderWay extends VisitTerms {
  readonly request: FetchRequest
  readonly site: Site
  /** The host that the caller holds. */
  readonly home: string | undefined
  /** Other hosts that redirects led to. */
  met: string[] | undefined
}

type Begun = Admitted | PoliteVisit

/**
 * Visits pages as their hosts ask for it. One visit, step by step:
 *
 * 1. claim: where all processes share a budget of requests, one of it is ours;
 * 2. hold: a host is asked only while it is ours, by the lease of its page,
 *    which brings its record, or held for the visit where that is led elsewhere;
 * 3. robots.txt, asked for as politely as a page where it is not known;
 * 4. gate: the delay, the rests and the budgets of the host;
 * 5. book: its record is on the disk before the host is asked, so that a killed
 *    process forgets no delay;
 * 6. fetch: the request, and for each redirect 2 to 5 again; a browser renders
 *    the pages that ask for it;
 * 7. give back: what was held for the visit, however it ended.
 *
 * Each step goes on at once where there is nothing to wait for: every visit
 * comes through here, and whatever is waited for takes its time.
 */
export class PoliteVisitor implements Visitor {
  readonly #with: PoliteVisitorOptions
  readonly #gate: HostGate
  readonly #hostHolds: HostHolds
  readonly #robots: RobotsService
  readonly #redirects: PageRedirects

  constructor(options: PoliteVisitorOptions) {
    const { fetcher, gate } = options
    const turns = new HostTurns(gate)
    this.#with = options
    this.#gate = gate
    this.#hostHolds = new HostHolds(gate)
    this.#robots = new RobotsService({ fetcher, gate, turns })
    this.#redirects = new PageRedirects({ gate, turns, robotsService: this.#robots })
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

  begin(request: FetchRequest, hostAccess: HostAccess, home?: string): Begun | Promise<Begun> {
    const isHeld = home !== undefined && this.#gate.holds(home)
    const visit = this.#visit(request, hostAccess, isHeld ? home : undefined)
    const budget = this.#counting
    return budget === null ? this.#begun(visit) : budget.claimed(() => this.#begun(visit))
  }

  #visit(request: FetchRequest, hostAccess: HostAccess, home: string | undefined): VisitUnderWay {
    const holds = new VisitHolds(this.#hostHolds, hostAccess, home)
    const { proxy } = request
    const site = webSiteOf(request.url)
    return { request, site, proxy, hostAccess, home, holds, met: undefined }
  }

  /** Where no budget is set nobody counts, and nothing is written for it. */
  get #counting(): SharedBudget | null {
    return this.#gate.politeness.requestsPerDay === null ? null : (this.#with.budget ?? null)
  }

  #begun(visit: VisitUnderWay): Begun | Promise<Begun> {
    const isHome = visit.site.host === visit.home
    const begun = isHome ? this.#askRobots(visit) : this.#holdElsewhere(visit)
    if (!(begun instanceof Promise)) return begun
    return begun.catch((error: unknown) => this.#failed(error, visit))
  }

  /** A page that has moved, or a request without a lease. */
  async #holdElsewhere(visit: VisitUnderWay): Promise<Begun> {
    const { host } = visit.site
    const held = await visit.holds.hold(host, { patience: 0, beside: true })
    return held ? this.#askRobots(visit) : this.#taken(host)
  }

  #askRobots(visit: VisitUnderWay): Begun | Promise<Begun> {
    const robots = this.#robots.current(visit.site)
    return robots === undefined ? this.#freshRobots(visit) : this.#enter(robots, visit)
  }

  async #freshRobots(visit: VisitUnderWay): Promise<Begun> {
    const met: string[] = []
    visit.met = met
    const enter = this.#gate.enter.bind(this.#gate)
    const robots = await this.#robots.fresh(visit.site, { visit, patience: 0, enter, met })
    return 'kind' in robots ? this.#over(robots, visit) : this.#enter(robots, visit)
  }

  #enter(robots: RobotsRecord, visit: VisitUnderWay): Begun | Promise<Begun> {
    const { site, hostAccess } = visit
    const forbidden = forbiddenBy(robots, site.path)
    if (forbidden !== undefined) return this.#over(forbidden, visit)
    const entered = this.#gate.tryEnter(site.host)
    if (entered.admitted) return this.#book(entered.permit, visit)
    // Once more, with a request claimed for it where one is missing.
    return this.#gate
      .enter(site.host, { patience: 0, signal: hostAccess.signal })
      .then((later) =>
        later.admitted ? this.#book(later.permit, visit) : this.#over(notAdmitted(later), visit),
      )
  }

  #book(permit: RequestPermit, visit: VisitUnderWay): Admitted | Promise<Admitted> {
    const admitted: Admitted = { kind: 'admitted', fetch: () => this.#fetch(permit, visit) }
    const { hostAccess } = visit
    return bookedPermit(permit, { gate: this.#gate, hostAccess })?.then(() => admitted) ?? admitted
  }

  #fetch(permit: RequestPermit, visit: VisitUnderWay): Promise<PoliteVisit> {
    const { request, hostAccess, met } = visit
    const chain = new RequestChain(permit, met)
    const options: FetchOptions = {
      signal: hostAccess.signal,
      mayFollow: (url) => this.#redirects.mayFollow(url, { chain, visit }),
      maySend: () => chain.maySend(),
    }
    const failed = (error: unknown) => {
      chain.calledOff(error)
      return this.#failed(error, visit)
    }
    try {
      return this.#answer(request, options).then(
        (answer) => this.#answered(answer, chain, visit),
        failed,
      )
    } catch (error) {
      return failed(error)
    }
  }

  #answer(request: FetchRequest, options: FetchOptions): Promise<FetchAnswer> {
    const { fetcher, renderer } = this.#with
    if (request.rendered !== true || renderer === undefined) return fetcher.fetch(request, options)
    return fetcher
      .fetch({ ...request, unconditional: true }, options)
      .then((answer) => renderer.rendered(answer, request, options))
  }

  #answered(
    answer: FetchAnswer,
    chain: RequestChain,
    visit: VisitUnderWay,
  ): PoliteVisit | Promise<PoliteVisit> {
    chain.ended(answer)
    visit.met = chain.others
    if (chain.isCalledOff) return this.#over(calledOff(this.#gate.state(visit.site.host)), visit)
    return this.#over(chain.end ?? { kind: 'answered', answer }, visit)
  }

  /** The visit has come to an end: what it held is given back. */
  #over(end: VisitEnd, visit: VisitUnderWay): PoliteVisit | Promise<PoliteVisit> {
    const { site, home, met, holds } = visit
    const stored = this.#stored(end, { asked: this.#gate.state(site.host), home, met })
    return holds.end()?.then(() => stored) ?? stored
  }

  async #failed(error: unknown, { holds }: VisitUnderWay): Promise<never> {
    await holds.end()
    throw error
  }

  /** Another has the host just now. */
  #taken(host: string): PoliteVisit {
    const turn = Math.max(askAgain, delayOf(this.#gate.state(host), this.#gate.politeness))
    return { kind: 'wait', until: this.#gate.clock.now() + turn, hosts: [] }
  }

  /**
   * For another program that makes the request, up to `ahead` seconds from now:
   * what is known of the robots.txt, and the gate. No robots.txt is asked for.
   * The host is held only until it is booked: whoever leased the page has it
   * from then on.
   */
  async offer(
    request: FetchRequest,
    hostAccess: HostAccess,
    { home, ahead }: { readonly home: string; readonly ahead: Seconds },
  ): Promise<Offered | PoliteVisit> {
    const visit = this.#visit(request, hostAccess, undefined)
    const { site, holds } = visit
    const offer = async (): Promise<Offered | PoliteVisit> => {
      if (!(await holds.hold(site.host, { patience: 0, beside: true })))
        return this.#taken(site.host)
      try {
        const offered = this.#offered(site, ahead)
        if (offered.kind === 'offered') return offered
        return this.#stored(offered, { asked: this.#gate.state(site.host), home })
      } finally {
        await holds.end()
      }
    }
    const budget = this.#counting
    return budget === null ? offer() : budget.claimed(offer)
  }

  #offered(site: Site, ahead: Seconds): Offered | VisitEnd {
    const gate = this.#gate
    const robots = this.#robots.current(site)
    const forbidden = robots === undefined ? undefined : forbiddenBy(robots, site.path)
    if (forbidden !== undefined) return forbidden
    const reserved = gate.reserve(site.host, ahead)
    if (!reserved.admitted) return notAdmitted(reserved)
    return {
      kind: 'offered',
      notBefore: reserved.at,
      delay: delayOf(gate.state(site.host), gate.politeness),
      robots: robots === undefined ? 'unknown' : 'allowed',
    }
  }

  /**
   * The record of the page's own host is for the caller to store. Another is
   * held for it, so that no failure is lost to somebody who changes it at the
   * same time; where it cannot be had, or this process holds it for another
   * visit, what the server asked for is still kept.
   */
  async reported(
    answer: FetchAnswer,
    hostAccess: HostAccess,
    about: { readonly host: string; readonly home: string; readonly record: HostRecord | null },
  ): Promise<PoliteVisit> {
    const { host, home, record } = about
    const holds = new VisitHolds(this.#hostHolds, hostAccess, undefined)
    const ours = host === home || this.#gate.holds(host)
    const held = ours || (await holds.hold(host, { patience: reportPatience, beside: true }))
    const asked = this.#gate.endedElsewhere(host, record, answer)
    // One that we hold for another visit may be given back as it was before this answer.
    const isHeldBeside = host !== home && ours
    if (!held || isHeldBeside) await hostAccess.book(this.#record(asked), { held: false })
    await holds.end()
    return this.#stored({ kind: 'answered', answer }, { asked, home })
  }

  /** With the record of the host that the caller holds: those of others are stored as they are given back. */
  #stored(
    end: VisitEnd,
    about: {
      readonly asked: HostState
      readonly home: string | undefined
      readonly met?: readonly string[] | undefined
    },
  ): PoliteVisit {
    const { asked, home, met } = about
    const isHome = asked.host === home
    const meetsHome = home !== undefined && met?.includes(home) === true
    const own = isHome ? asked : meetsHome ? this.#gate.state(home) : undefined
    const hosts = own === undefined ? [] : [this.#record(own)]
    if (end.kind !== 'answered') return { ...end, hosts }
    const { kind, answer } = end
    return isHome ? { kind, answer, hosts } : { kind, answer, hosts, asked: this.#record(asked) }
  }

  #record(state: HostState): HostRecord {
    return recordOf(state, this.#gate.clock.now())
  }
}
