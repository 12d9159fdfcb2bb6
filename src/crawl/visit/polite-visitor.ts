import { longestRobots, productToken } from '../../formats/index.js'
import {
  type Clock,
  type FetchAnswer,
  type Fetcher,
  type FetchRequest,
  OptionError,
  type Seconds,
  type UnixSeconds,
} from '../../model/index.js'
import { productName } from '../fetch/user-agent.js'
import type { HostGate, Permit } from '../gate/host-gate.js'
import type { HostState } from '../gate/host-state.js'
import { allowsPath, isCurrent, type RobotsRecord, robotsRecord } from '../robots/robots-record.js'
import { type Site, siteOf } from '../url/site.js'
import { type Book, booked } from './booking.js'
import { calledOff } from './called-off.js'

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

/** How a polite visit ended. `hosts` are the records that changed, to be stored with it. */
export type PoliteVisit = { readonly hosts: readonly HostState[] } & (
  | { readonly kind: 'answered'; readonly answer: FetchAnswer }
  /** robots.txt says no; worth asking again after `until`. */
  | { readonly kind: 'disallowed'; readonly until: UnixSeconds }
  /** The host is not to be asked before `until`; nothing was fetched, but perhaps its robots.txt. */
  | { readonly kind: 'wait'; readonly until: UnixSeconds }
)

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

  /** In one piece: every visit comes through here, and each step that is waited for takes its time. */
  async visit(request: FetchRequest, options: VisitOptions = {}): Promise<PoliteVisit> {
    const { gate, fetcher } = this.#with
    const site = siteOf(request.url)
    if (site === undefined) throw new OptionError('bad-url', `"${request.url}" is no web address`)
    const { host, path } = site
    const robots = this.#currentRobots(site) ?? (await this.#freshRobots(site, options))
    if ('kind' in robots) return { ...robots, hosts: [gate.state(host)] }
    if (!allowsPath(robots, path))
      return { kind: 'disallowed', until: robots.until, hosts: [gate.state(host)] }
    const now = gate.tryEnter(host)
    const entered = now.admitted ? now : await gate.enter(host, patient(options))
    if (!entered.admitted) return { kind: 'wait', until: entered.at, hosts: [gate.state(host)] }
    const booking = this.#book(entered.permit, options)
    if (booking !== undefined) await booking
    const touched = [host]
    const permits = [entered.permit]
    const mayFollow = (url: string) => this.#mayFollow(url, { ...options, touched, permits })
    const { signal } = options
    try {
      const asked = signal === undefined ? { mayFollow } : { signal, mayFollow }
      const answer = await fetcher.fetch(request, asked)
      const last = permits.pop()
      for (const permit of permits) permit.leave('redirected')
      last?.leave(answer)
      return { kind: 'answered', answer, hosts: touched.map((each) => gate.state(each)) }
    } catch (error) {
      throw calledOff(error, permits)
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
  ): Promise<RobotsRecord | Wait | Unreached> {
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
    // Ours to allow, not the host's to forbid: nothing is to be remembered of it.
    if (answer.kind === 'failed' && answer.fault === 'address-refused')
      return { kind: 'answered', answer }
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

type Wait = { readonly kind: 'wait'; readonly until: UnixSeconds }
type Unreached = { readonly kind: 'answered'; readonly answer: FetchAnswer }

function signalOf({ signal }: VisitOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function patient(options: VisitOptions): { patience: Seconds; signal?: AbortSignal } {
  return { ...signalOf(options), patience: options.patience ?? 0 }
}
