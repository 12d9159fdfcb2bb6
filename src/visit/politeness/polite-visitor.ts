import { type Site, webSiteOf } from '../../formats/url.js'
import type {
  FetchAnswer,
  FetchRequest,
  Offered,
  PoliteVisit,
  VisitEnd,
} from '../../model/fetcher.js'
import type { Seconds } from '../../model/units.js'
import type { RequestPermit } from './host-gate.js'
import { delayOf, type HostState } from './host-state.js'
import { HostTurns } from './host-turns.js'
import { PageRedirects } from './redirects.js'
import {
  bookedPermit,
  calledOff,
  notAdmitted,
  type PoliteVisitorOptions,
  patient,
  RequestChain,
  type VisitOptions,
} from './request-chain.js'
import { RobotsService } from './robots.js'
import { forbiddenBy, type RobotsRecord } from './robots-record.js'

/** Permission to make one request, and how it is to be made. */
export interface Permitted {
  readonly kind: 'permitted'
  readonly permit: RequestPermit
  readonly asked: Asked
}

interface Asked {
  readonly request: FetchRequest
  readonly options: VisitOptions
  readonly site: Site
  /** Other hosts that the redirects of robots.txt led to. */
  readonly met: string[] | undefined
}

export type Visit = PoliteVisit<HostState>

/** What follows once a visit's requests are made. */
export interface Ended<T> {
  readonly over: (visit: Visit) => T | Promise<T>
  /** Where none could be made. */
  readonly end: () => Promise<void> | undefined
}

const asItIs: Ended<Visit> = { over: (visit) => visit, end: () => undefined }

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

  /** Both steps, for who needs nothing between them. */
  async visit(request: FetchRequest, options: VisitOptions = {}): Promise<Visit> {
    const begun = await this.begin(request, options)
    return begun.kind === 'permitted' ? this.fetch(begun, asItIs) : begun
  }

  /**
   * Robots.txt, the gate and the booking. Each step goes on at once where there
   * is nothing to wait for: every visit comes through here, and whatever is
   * waited for takes its time.
   */
  begin(
    request: FetchRequest,
    options: VisitOptions,
  ): Permitted | Visit | Promise<Permitted | Visit> {
    const { proxy } = request
    const terms = proxy === undefined ? options : { ...options, proxy }
    const asked = { request, options: terms, site: webSiteOf(request.url), met: undefined }
    const robots = this.#robots.current(asked.site)
    return robots === undefined ? this.#afterRobots(asked) : this.#enter(robots, asked)
  }

  /** The request itself, and those that redirects lead to; then what its caller makes of it, in the same step. */
  fetch<T>(
    { permit, asked: { request, options, met } }: Permitted,
    { over, end }: Ended<T>,
  ): Promise<T> {
    const chain = new RequestChain(permit, met)
    const mayFollow = (url: string) => this.#redirects.mayFollow(url, { chain, options })
    const maySend = () => chain.maySend()
    const { signal } = options
    const fetchOptions =
      signal === undefined ? { mayFollow, maySend } : { signal, mayFollow, maySend }
    const answered = (answer: FetchAnswer) => over(this.#answered(chain, answer))
    const failed = async (error: unknown): Promise<never> => {
      chain.calledOff(error)
      await end()
      throw error
    }
    try {
      return this.#with.fetcher.fetch(request, fetchOptions).then(answered, failed)
    } catch (error) {
      return failed(error)
    }
  }

  #answered(chain: RequestChain, answer: FetchAnswer): Visit {
    chain.ended(answer)
    const hosts = chain.states(this.#with.gate)
    if (chain.isCalledOff) return { ...calledOff(hosts[0]!), hosts }
    return chain.end === undefined ? { kind: 'answered', answer, hosts } : { ...chain.end, hosts }
  }

  /**
   * For another program that makes the request, up to `ahead` seconds from now,
   * to a host that is held: what is known of its robots.txt, and the gate. No
   * robots.txt is asked for.
   */
  offer(site: Site, ahead: Seconds): Offered | VisitEnd {
    const { gate } = this.#with
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

  async #afterRobots(asked: Asked): Promise<Permitted | Visit> {
    const { gate } = this.#with
    const { site, options } = asked
    const met: string[] = []
    const enter = gate.enter.bind(gate)
    const robots = await this.#robots.fresh(site, { options, enter, met })
    return 'kind' in robots
      ? this.#ended(robots, { ...asked, met })
      : this.#enter(robots, { ...asked, met })
  }

  #enter(robots: RobotsRecord, asked: Asked): Permitted | Visit | Promise<Permitted | Visit> {
    const { gate } = this.#with
    const { site, options } = asked
    const forbidden = forbiddenBy(robots, site.path)
    if (forbidden !== undefined) return this.#ended(forbidden, asked)
    const entered = gate.tryEnter(site.host)
    if (entered.admitted) return this.#booked(entered.permit, asked)
    return gate
      .enter(site.host, patient(options))
      .then((later) =>
        later.admitted ? this.#booked(later.permit, asked) : this.#ended(notAdmitted(later), asked),
      )
  }

  #ended(how: VisitEnd, { site, met = [] }: Asked): Visit {
    const { gate } = this.#with
    return { ...how, hosts: [site.host, ...met].map((each) => gate.state(each)) }
  }

  #booked(permit: RequestPermit, asked: Asked): Permitted | Promise<Permitted> {
    const { gate, clock } = this.#with
    const permitted: Permitted = { kind: 'permitted', permit, asked }
    const booking = bookedPermit(permit, { gate, clock, book: asked.options.book })
    return booking === undefined ? permitted : booking.then(() => permitted)
  }
}
