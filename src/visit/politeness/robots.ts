import { decodedText } from '../../formats/charset.js'
import {
  longestRobots,
  productToken,
  type RobotsRules,
  readRobots,
} from '../../formats/robots-file.js'
import { RobotsPermit } from '../../formats/robots-permit.js'
import { type Site, siteOf } from '../../formats/url.js'
import { productName } from '../../formats/user-agent.js'
import type { FetchAnswer, FetchFault, FetchOptions } from '../../model/fetcher.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/units.js'
import type { Admission, EnterTerms } from './host-gate.js'
import { backoff } from './host-state.js'
import type { HostTurns } from './redirects.js'
import {
  bookedPermit,
  notAdmitted,
  type PoliteVisitorOptions,
  patient,
  RequestChain,
  signalOf,
  type VisitEnd,
  type VisitOptions,
} from './request-chain.js'

/** What the robots.txt of one origin asks of us: a plain record that a store can keep. */
export interface RobotsRecord extends RobotsRules {
  /** The name it was read for; under another name it is read anew. */
  readonly agent: string
  readonly verdict: 'rules' | 'allow-all' | 'disallow-all'
  /** When it was fetched, and until when it counts. */
  readonly at: UnixSeconds
  readonly until: UnixSeconds
  /** How often in a row it could not be had. */
  readonly failures: number
}

/** RFC 9309, 2.4: a copy is not to be used for longer. */
const longestCached: Seconds = DAY
const retry = { firstBackoff: 5 * MINUTE, longestBackoff: 6 * HOUR }
const nothing: RobotsRules = { rules: [], crawlDelay: null, sitemaps: [] }

/**
 * What the answer to a request for robots.txt means. Rules where there is one;
 * all allowed where there is none (4xx, or more than five redirects); nothing
 * allowed where the server cannot tell (5xx, no answer), asked again when it
 * says, or ever later. RFC 9309, 2.3.1. Of the 4xx, 408, 425 and 429 are no
 * word on robots.txt but on when to come, and are taken as "later" too.
 */
export function robotsRecord(
  answer: FetchAnswer,
  { agent, before }: { readonly agent: string; readonly before?: RobotsRecord | undefined },
): RobotsRecord {
  const { at } = answer
  const settled = { agent, at, until: at + longestCached, failures: 0 }
  if (answer.kind === 'content') {
    const text = decodedText(wholeLines(answer.body), 'text/plain; charset=utf-8')
    return { ...settled, verdict: 'rules', ...readRobots(text, { agent }) }
  }
  if (isAbsent(answer)) return { ...settled, verdict: 'allow-all', ...nothing }
  const failures = (before?.failures ?? 0) + 1
  const asked = answer.kind === 'later' ? answer.retryAfter : null
  const until = at + (asked ?? backoff(failures, retry))
  return { ...settled, until, failures, verdict: 'disallow-all', ...nothing }
}

/** Of a file that is too long, the lines that end within the limit: half a rule may forbid what the whole one does not. */
function wholeLines(body: Uint8Array): Uint8Array {
  if (body.length <= longestRobots) return body
  const end = Math.max(
    body.lastIndexOf(lineFeed, longestRobots),
    body.lastIndexOf(carriageReturn, longestRobots),
  )
  return body.subarray(0, Math.max(0, end))
}

const lineFeed = 10
const carriageReturn = 13

function isAbsent(answer: FetchAnswer): boolean {
  if (answer.kind === 'gone' || answer.kind === 'refused') return true
  const { fault } = answer as { fault?: string }
  return fault === 'too-many-redirects' || fault === 'redirect-loop'
}

/** Patterns are read once for each record. */
const permits = new WeakMap<RobotsRecord, RobotsPermit>()

/** Whether a record lets an address be visited. */
export function robotsAllow(record: RobotsRecord, url: string): boolean {
  const { pathname, search } = new URL(url)
  return allowsPath(record, pathname + search)
}

/** The same for a path with its query. */
export function allowsPath(record: RobotsRecord, path: string): boolean {
  if (record.verdict === 'allow-all') return true
  if (record.verdict === 'disallow-all') return /^\/robots\.txt(?:\?|$)/.test(path)
  return permitOf(record).allows(path)
}

function permitOf(record: RobotsRecord): RobotsPermit {
  const permit = permits.get(record) ?? new RobotsPermit(record)
  permits.set(record, permit)
  return permit
}

/** Whether a record still counts: not too old, and read for the name we go by now. */
export function isCurrent(
  record: RobotsRecord | undefined,
  { now, agent }: { readonly now: UnixSeconds; readonly agent: string },
): record is RobotsRecord {
  return record !== undefined && now < record.until && record.agent === agent
}

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
  readonly #agent = productToken(productName)

  constructor(parts: PoliteVisitorOptions & { readonly turns: HostTurns }) {
    this.#with = parts
  }

  /** The robots.txt at hand, if it still counts. */
  current({ host, origin }: Site): RobotsRecord | undefined {
    const { gate, clock } = this.#with
    const known = gate.state(host).robots[origin]
    return isCurrent(known, { now: clock.now(), agent: this.#agent }) ? known : undefined
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
    const fetchOptions = { ...signalOf(options), ...limits, mayFollow }
    return this.#with.fetcher.fetch({ url: `${origin}/robots.txt` }, fetchOptions)
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
    const entered = await turns.enter(host, {
      ...signalOf(options),
      patience: turns.patience(host),
    })
    if (!entered.admitted) {
      chain.end = notAdmitted(entered)
      return false
    }
    await bookedPermit(entered.permit, { ...this.#with, book: options.book })
    chain.goesOn(entered.permit)
    return true
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
      return fault === 'aborted'
        ? { kind: 'wait', until: clock.now() }
        : { kind: 'answered', answer }
    }
    const state = gate.state(site.host)
    const before = state.robots[site.origin]
    const record = robotsRecord(answer, { agent: this.#agent, before })
    gate.remember({ ...state, robots: { ...state.robots, [site.origin]: record } })
    chain.ended(answer)
    return fault !== null && record.verdict === 'disallow-all'
      ? { kind: 'answered', answer }
      : record
  }
}
