import { longestRobots, productToken } from '../../formats/index.js'
import {
  type Clock,
  type FetchAnswer,
  type Fetcher,
  type FetchFault,
  type FetchRequest,
  OptionError,
  type Seconds,
} from '../../model/index.js'
import { productName } from '../fetch/user-agent.js'
import type { HostGate, Permit } from '../gate/host-gate.js'
import { allowsPath, isCurrent, type RobotsRecord, robotsRecord } from '../robots/robots-record.js'
import { type Site, siteOf } from '../url/site.js'
import { type Book, booked } from './booking.js'
import { calledOff } from './called-off.js'
import type { PoliteVisit, VisitEnd } from './polite-visit.js'

export interface PoliteVisitorOptions {
  readonly fetcher: Fetcher
  readonly gate: HostGate
  readonly clock: Clock
}

export interface VisitOptions {
  readonly signal?: AbortSignal
  /** The longest it waits for a host before it says `wait`; 0 unless said. */
  readonly patience?: Seconds
  /** Called with the host's record before each request, and waited for. */
  readonly book?: Book
}

/** Ours to allow, not the host's to forbid. */
const ours: ReadonlySet<FetchFault> = new Set(['address-refused', 'no-contact'])

/**
 * Visits pages as their hosts ask for it: robots.txt first, then the gate, then
 * the request; and the same again for each host that a redirect leads to.
 */
export class PoliteVisitor {
  readonly #with: PoliteVisitorOptions
  readonly #agent = productToken(productName)

  constructor(options: PoliteVisitorOptions) {
    this.#with = options
  }

  /**
   * Each step goes on at once where there is nothing to wait for: every visit
   * comes through here, and whatever is waited for takes its time.
   */
  visit(request: FetchRequest, options: VisitOptions = {}): Promise<PoliteVisit> {
    const site = siteOf(request.url)
    if (site === undefined)
      return Promise.reject(new OptionError('bad-url', `"${request.url}" is no web address`))
    const asked = { request, options, site }
    const robots = this.#currentRobots(site)
    if (robots !== undefined) return this.#enter(robots, asked)
    return this.#freshRobots(site, options).then((fresh) =>
      'kind' in fresh ? this.#ended(fresh, site) : this.#enter(fresh, asked),
    )
  }

  #enter(robots: RobotsRecord, asked: Asked): Promise<PoliteVisit> {
    const { gate } = this.#with
    const { site, options } = asked
    if (!allowsPath(robots, site.path))
      return Promise.resolve(this.#ended({ kind: 'disallowed', until: robots.until }, site))
    const entered = gate.tryEnter(site.host)
    if (entered.admitted) return this.#booked(entered.permit, asked)
    return gate
      .enter(site.host, patient(options))
      .then((later) =>
        later.admitted
          ? this.#booked(later.permit, asked)
          : this.#ended({ kind: 'wait', until: later.at }, site),
      )
  }

  #ended(how: VisitEnd, { host }: Site): PoliteVisit {
    return { ...how, hosts: [this.#with.gate.state(host)] }
  }

  #booked(permit: Permit, asked: Asked): Promise<PoliteVisit> {
    const booking = this.#book(permit, asked.options)
    if (booking === undefined) return this.#ask(permit, asked)
    return booking.then(() => this.#ask(permit, asked))
  }

  /** The request itself, and those that redirects lead to. */
  #ask(permit: Permit, { request, options }: Asked): Promise<PoliteVisit> {
    const { gate, fetcher } = this.#with
    const permits = [permit]
    const touched = [permit.host]
    const mayFollow = (url: string) => this.#mayFollow(url, { ...options, touched, permits })
    const { signal } = options
    const told = signal === undefined ? { mayFollow } : { signal, mayFollow }
    const answered = (answer: FetchAnswer): PoliteVisit => {
      const last = permits.pop()
      for (const each of permits) each.leave('redirected')
      last?.leave(answer)
      return { kind: 'answered', answer, hosts: touched.map((each) => gate.state(each)) }
    }
    const failed = (error: unknown) => Promise.reject(calledOff(error, permits))
    try {
      return fetcher.fetch(request, told).then(answered, failed)
    } catch (error) {
      return failed(error)
    }
  }

  /** A redirect is a request like any other: its host is asked, and waited for. */
  async #mayFollow(
    url: string,
    { permits, touched, ...options }: VisitOptions & { touched: string[]; permits: Permit[] },
  ): Promise<boolean> {
    const site = siteOf(url)!
    const { host } = site
    if (!touched.includes(host)) touched.push(host)
    const patience = this.#redirectPatience(host)
    const here = permits.find((each) => each.host === host)
    const asked = { ...options, patience, permit: here }
    const robots = this.#currentRobots(site) ?? (await this.#freshRobots(site, asked))
    if ('kind' in robots || !allowsPath(robots, site.path)) return false
    here?.again()
    if (here !== undefined) return true
    const entered = await this.#with.gate.enter(host, { ...signalOf(options), patience })
    if (!entered.admitted) return false
    permits.push(entered.permit)
    await this.#book(entered.permit, options)
    return true
  }

  /** A host stays open only while its booking fails: then nothing was asked of it. */
  #book(permit: Permit, { book }: VisitOptions): Promise<void> | undefined {
    if (book === undefined) return undefined
    const { gate, clock } = this.#with
    return booked(gate.state(permit.host), { book, clock })?.catch((error: unknown) => {
      permit.leave('redirected')
      throw error
    })
  }

  /** Long enough for robots.txt and the page, each after its delay. */
  #redirectPatience(host: string): Seconds {
    const { gate, clock } = this.#with
    const { delay } = gate.politeness
    return Math.min(10 * delay, Math.max(delay, gate.readyAt(host) - clock.now())) + delay
  }

  /** The robots.txt at hand, if it still counts. */
  #currentRobots({ host, origin }: Site): RobotsRecord | undefined {
    const { gate, clock } = this.#with
    const known = gate.state(host).robots[origin]
    return isCurrent(known, { now: clock.now(), agent: this.#agent }) ? known : undefined
  }

  /** A new robots.txt, asked for as politely as a page. */
  async #freshRobots(
    { host, origin }: Site,
    options: VisitOptions & { permit?: Permit | undefined },
  ): Promise<RobotsRecord | VisitEnd> {
    const { gate, clock } = this.#with
    const before = gate.state(host).robots[origin]
    options.permit?.again()
    const entered = options.permit === undefined ? await gate.enter(host, patient(options)) : null
    if (entered?.admitted === false) return { kind: 'wait', until: entered.at }
    const permits = entered === null ? [] : [entered.permit]
    for (const permit of permits) await this.#book(permit, options)
    const answer = await this.#fetchRobots(origin, options).catch((error: unknown) => {
      throw calledOff(error, permits)
    })
    for (const permit of permits) permit.leave(answer)
    if (answer.kind === 'failed' && answer.fault === 'aborted')
      return { kind: 'wait', until: clock.now() }
    // Nothing is to be remembered of what the host did not do.
    if (answer.kind === 'failed' && ours.has(answer.fault)) return { kind: 'answered', answer }
    const record = robotsRecord(answer, { agent: this.#agent, before })
    const state = gate.state(host)
    gate.remember({ ...state, robots: { ...state.robots, [origin]: record } })
    return record
  }

  /** RFC 9309, 2.3.1.2: five redirects, to other hosts too. */
  #fetchRobots(origin: string, options: VisitOptions): Promise<FetchAnswer> {
    const limits = { maxBytes: longestRobots, whenLarger: 'cut', maxRedirects: 5 } as const
    return this.#with.fetcher.fetch(
      { url: `${origin}/robots.txt` },
      { ...signalOf(options), ...limits },
    )
  }
}

interface Asked {
  readonly request: FetchRequest
  readonly options: VisitOptions
  readonly site: Site
}

function signalOf({ signal }: VisitOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function patient(options: VisitOptions): { patience: Seconds; signal?: AbortSignal } {
  return { ...signalOf(options), patience: options.patience ?? 0 }
}
