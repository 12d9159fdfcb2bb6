import { longestRobots } from '../../formats/robots-file.js'
import { type Site, siteOf } from '../../formats/url.js'
import type {
  FetchAnswer,
  Fetcher,
  FetchFault,
  FetchOptions,
  VisitEnd,
} from '../../model/fetcher.js'
import type { Seconds } from '../../model/units.js'
import type { Admission, EnterTerms, HostGate } from './host-gate.js'
import { type HostTurns, nextRequest } from './host-turns.js'
import {
  bookedPermit,
  calledOff,
  notAdmitted,
  RequestChain,
  type VisitTerms,
} from './request-chain.js'
import { isCurrent, type RobotsRecord, robotsAgent, robotsRecord } from './robots-record.js'

/** How a robots.txt is asked for. */
interface RobotsTerms {
  readonly visit: VisitTerms
  /** How its host is waited for, and how long. */
  readonly enter: (host: string, terms: EnterTerms) => Promise<Admission>
  readonly patience: Seconds
  /** Told the hosts that its redirects lead to. */
  readonly met: string[]
}

/** RFC 9309, 2.3.1.2 and 2.5: five redirects, to other hosts too; of a longer file the beginning. */
const limits: FetchOptions = { maxBytes: longestRobots + 1, whenLarger: 'cut', maxRedirects: 5 }

/** Ours to allow, not the host's to forbid. */
const ours: ReadonlySet<FetchFault> = new Set(['address-refused', 'no-contact'])

interface Parts {
  readonly fetcher: Fetcher
  readonly gate: HostGate
  readonly turns: HostTurns
}

/** Knows the robots.txt of each origin, and asks for it as politely as for a page. */
export class RobotsService {
  readonly #with: Parts

  constructor(parts: Parts) {
    this.#with = parts
  }

  /** The robots.txt at hand, if it still counts. */
  current({ host, origin }: Site): RobotsRecord | undefined {
    const { gate } = this.#with
    const known = gate.state(host).robots[origin]
    return isCurrent(known, { now: gate.clock.now(), agent: robotsAgent }) ? known : undefined
  }

  /** A new one; or the one that somebody else has asked for while we waited for the host. */
  async fresh(site: Site, terms: RobotsTerms): Promise<RobotsRecord | VisitEnd> {
    const { visit, enter, patience, met } = terms
    const { hostAccess } = visit
    const needless = () => this.current(site) !== undefined
    const entered = await enter(site.host, { patience, signal: hostAccess.signal, needless })
    if (!entered.admitted) return this.current(site) ?? notAdmitted(entered)
    const { permit } = entered
    await bookedPermit(permit, { gate: this.#with.gate, hostAccess })
    const chain = new RequestChain(permit, met)
    const answer = await this.#fetch(site.origin, chain, visit).catch((error: unknown) => {
      chain.calledOff(error)
      throw error
    })
    return chain.end ?? this.#rulesFrom(answer, { site, chain })
  }

  /** Async, so that a fetcher that throws at once fails like any other. */
  async #fetch(origin: string, chain: RequestChain, visit: VisitTerms): Promise<FetchAnswer> {
    const mayFollow = (url: string) => this.#mayFollow(url, { chain, visit })
    const maySend = () => chain.maySend()
    const { proxy, hostAccess } = visit
    const options = { ...limits, signal: hostAccess.signal, mayFollow, maySend }
    const url = `${origin}/robots.txt`
    return this.#with.fetcher.fetch(proxy === undefined ? { url } : { url, proxy }, options)
  }

  /** A redirect of robots.txt is a request like any other, but that no robots.txt is asked about it. */
  async #mayFollow(
    url: string,
    { chain, visit }: { readonly chain: RequestChain; readonly visit: VisitTerms },
  ): Promise<boolean> {
    const { turns } = this.#with
    const { host } = siteOf(url)!
    chain.ledTo(host)
    // The host whose robots.txt it is has to be asked for the page yet.
    const refused = await turns.hold(host, { visit, beside: true })
    if (refused !== null) {
      chain.end = notAdmitted(refused)
      return false
    }
    const patience = turns.patience(host)
    const end = await nextRequest(host, { ...this.#with, chain, visit, patience })
    if (end !== null) chain.end = end
    return end === null
  }

  /** Remembered before the host is left: it may ask for a longer delay, and others wait to read it. */
  #rulesFrom(
    answer: FetchAnswer,
    { site, chain }: { readonly site: Site; readonly chain: RequestChain },
  ): RobotsRecord | VisitEnd {
    const { gate } = this.#with
    const fault = answer.kind === 'failed' ? answer.fault : null
    // Nothing is to be remembered of what the host did not do.
    if (fault === 'aborted' || (fault !== null && ours.has(fault))) {
      chain.ended(answer)
      if (chain.isCalledOff) return calledOff(gate.state(site.host))
      return fault === 'aborted'
        ? { kind: 'wait', until: gate.clock.now() }
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
