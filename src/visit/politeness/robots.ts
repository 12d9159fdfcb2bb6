import { longestRobots } from '../../formats/robots-file.js'
import { type Site, siteOf } from '../../formats/url.js'
import type { FetchAnswer, FetchFault, FetchOptions, VisitEnd } from '../../model/fetcher.js'
import type { Admission, EnterTerms } from './host-gate.js'
import { type HostTurns, nextRequest } from './host-turns.js'
import {
  bookedPermit,
  calledOff,
  notAdmitted,
  type PoliteVisitorOptions,
  patient,
  RequestChain,
  signalOf,
  type VisitOptions,
} from './request-chain.js'
import { isCurrent, type RobotsRecord, robotsAgent, robotsRecord } from './robots-record.js'

/** How a robots.txt is asked for. */
interface RobotsTerms {
  readonly options: VisitOptions
  /** How its host is waited for. */
  readonly enter: (host: string, terms: EnterTerms) => Promise<Admission>
  /** Told the hosts that its redirects lead to. */
  readonly met: string[]
}

/** RFC 9309, 2.3.1.2 and 2.5: five redirects, to other hosts too; of a longer file the beginning. */
const limits: FetchOptions = { maxBytes: longestRobots + 1, whenLarger: 'cut', maxRedirects: 5 }

/** Ours to allow, not the host's to forbid. */
const ours: ReadonlySet<FetchFault> = new Set(['address-refused', 'no-contact'])

/** Knows the robots.txt of each origin, and asks for it as politely as for a page. */
export class RobotsService {
  readonly #with: PoliteVisitorOptions & { readonly turns: HostTurns }

  constructor(parts: PoliteVisitorOptions & { readonly turns: HostTurns }) {
    this.#with = parts
  }

  /** The robots.txt at hand, if it still counts. */
  current({ host, origin }: Site): RobotsRecord | undefined {
    const { gate, clock } = this.#with
    const known = gate.state(host).robots[origin]
    return isCurrent(known, { now: clock.now(), agent: robotsAgent }) ? known : undefined
  }

  /** A new one; or the one that somebody else has asked for while we waited for the host. */
  async fresh(site: Site, terms: RobotsTerms): Promise<RobotsRecord | VisitEnd> {
    const needless = () => this.current(site) !== undefined
    const entered = await terms.enter(site.host, { ...patient(terms.options), needless })
    if (!entered.admitted) return this.current(site) ?? notAdmitted(entered)
    const { permit } = entered
    await bookedPermit(permit, { ...this.#with, book: terms.options.book })
    const chain = new RequestChain(permit, terms.met)
    const answer = await this.#fetch(site.origin, chain, terms).catch((error: unknown) => {
      chain.calledOff(error)
      throw error
    })
    return chain.end ?? this.#rulesFrom(answer, { site, chain })
  }

  #fetch(origin: string, chain: RequestChain, { options }: RobotsTerms): Promise<FetchAnswer> {
    const mayFollow = (url: string) => this.#mayFollow(url, { chain, options })
    const maySend = () => chain.maySend()
    const fetchOptions = { ...signalOf(options), ...limits, mayFollow, maySend }
    const url = `${origin}/robots.txt`
    const { proxy } = options
    return this.#with.fetcher.fetch(proxy === undefined ? { url } : { url, proxy }, fetchOptions)
  }

  /** A redirect of robots.txt is a request like any other, but that no robots.txt is asked about it. */
  async #mayFollow(
    url: string,
    { chain, options }: { readonly chain: RequestChain; readonly options: VisitOptions },
  ): Promise<boolean> {
    const { turns } = this.#with
    const { host } = siteOf(url)!
    chain.ledTo(host)
    // The host whose robots.txt it is has to be asked for the page yet.
    const refused = await turns.hold(host, { options, beside: true })
    if (refused !== null) {
      chain.end = notAdmitted(refused)
      return false
    }
    const patience = turns.patience(host)
    const end = await nextRequest(host, { ...this.#with, chain, options, patience })
    if (end !== null) chain.end = end
    return end === null
  }

  /** Remembered before the host is left: it may ask for a longer delay, and others wait to read it. */
  #rulesFrom(
    answer: FetchAnswer,
    { site, chain }: { readonly site: Site; readonly chain: RequestChain },
  ): RobotsRecord | VisitEnd {
    const { gate, clock } = this.#with
    const fault = answer.kind === 'failed' ? answer.fault : null
    // Nothing is to be remembered of what the host did not do.
    if (fault === 'aborted' || (fault !== null && ours.has(fault))) {
      chain.ended(answer)
      if (chain.isCalledOff) return calledOff(gate.state(site.host))
      return fault === 'aborted'
        ? { kind: 'wait', until: clock.now() }
        : { kind: 'answered', answer }
    }
    const state = gate.state(site.host)
    const before = state.robots[site.origin]
    const record = robotsRecord(answer, { agent: robotsAgent, before })
    gate.remember({ ...state, robots: { ...state.robots, [site.origin]: record } })
    chain.ended(answer)
    return fault !== null && record.verdict === 'disallow-all'
      ? { kind: 'answered', answer }
      : record
  }
}
