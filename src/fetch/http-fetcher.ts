import { Agent, buildConnector } from 'undici'
import { webSiteOf } from '../formats/url.js'
import { userAgent } from '../formats/user-agent.js'
import type { FetchAnswer, Fetcher, FetchOptions, FetchRequest } from '../model/fetcher.js'
import type { Clock } from '../model/units.js'
import { AddressGuard, type AddressOptions } from './address-guard.js'
import { BytesUnderWay } from './body.js'
import { localContact } from './contact.js'
import { type FetchTools, HttpVisit, TurnEnd } from './http-request.js'
import { type FetchLimits, fetchLimits } from './limits.js'
import { proxyAddress, proxyConnector } from './proxy.js'

/**
 * Connections that go only where the guard lets them, one per host and port,
 * kept open for a few seconds. The guard is asked here, and nowhere nearer to
 * the caller, so that no path around it exists: names through `lookup`, and
 * addresses written out, which sockets never look up, directly.
 */
export function guardedAgent({
  guard,
  limits,
  connectionsPerHost,
  connect = directConnector({ guard, limits }),
}: {
  readonly guard: AddressGuard
  readonly limits: FetchLimits
  readonly connectionsPerHost: number
  /** By another way than directly. */
  readonly connect?: buildConnector.connector
}): Agent {
  return new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: limits.headerBytes,
    // Deadline sets the limits on time.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      try {
        guard.checkLiteral(options.hostname)
      } catch (error) {
        callback(error as Error, null)
        return
      }
      connect(options, callback)
    },
  })
}

function directConnector({
  guard,
  limits,
}: {
  readonly guard: AddressGuard
  readonly limits: FetchLimits
}): buildConnector.connector {
  return buildConnector({
    lookup: guard.lookup,
    timeout: limits.connectTime * 1000,
    autoSelectFamily: true,
  })
}

/** Agents by the way they go: directly, or through the proxy of all pages or of one. */
class Agents {
  readonly #options: HttpFetcherOptions
  readonly #limits: FetchLimits
  readonly #guard: AddressGuard
  /** By the address of a page's own proxy. */
  readonly #own = new Map<string, Agent>()
  readonly usual: Agent

  constructor(options: HttpFetcherOptions, limits: FetchLimits) {
    this.#options = options
    this.#limits = limits
    this.#guard = new AddressGuard(options)
    const { proxy = null } = options
    this.usual = proxy === null ? this.#agent() : this.#agent({ proxy, isGuarded: false })
  }

  /** Whoever may change pages may name their proxies: those are held to the guard, as pages are. */
  through(proxy: string): Agent {
    const agent = this.#own.get(proxy) ?? this.#agent({ proxy, isGuarded: true })
    this.#own.set(proxy, agent)
    const [oldest] = this.#own.keys()
    if (this.#own.size > mostProxies) {
      void this.#own.get(oldest!)?.close()
      this.#own.delete(oldest!)
    }
    return agent
  }

  get all(): readonly Agent[] {
    return [this.usual, ...this.#own.values()]
  }

  #agent(way?: { readonly proxy: string; readonly isGuarded: boolean }): Agent {
    const { connectionsPerHost = 1 } = this.#options
    const [guard, limits] = [this.#guard, this.#limits]
    if (way === undefined) return guardedAgent({ guard, limits, connectionsPerHost })
    const { isGuarded } = way
    const { connectTime } = limits
    const proxy = proxyAddress(way.proxy)
    const connect = proxyConnector({ proxy, guard, isGuarded, connectTime })
    return guardedAgent({ guard, limits, connectionsPerHost, connect })
  }
}

/** Proxies of pages' own whose connections are kept. */
const mostProxies = 100

export interface HttpFetcherOptions extends AddressOptions {
  readonly clock: Clock
  /** A web or e-mail address at which the person who runs this can be reached; without one no public host is asked. */
  readonly contact: string | null
  /** Of this software. */
  readonly version: string
  /** A product of one's own that stands before ours in the User-Agent, such as MyArchive/1.0. */
  readonly product?: string | null
  /** Through which every request goes, but those of pages with one of their own. */
  readonly proxy?: string | null
  readonly limits?: Partial<FetchLimits>
  /** 1 by default: more is impolite. */
  readonly connectionsPerHost?: number
  /** Of all contents being received: new visits wait beyond it; 128 MiB by default. */
  readonly bytesUnderWay?: number
}

/**
 * Visits pages over HTTP/1.1: conditional, unpacked, redirects followed by
 * hand, each limit kept. Whatever a server does is an answer or a failure,
 * never an exception; only a request that cannot be made at all throws.
 */
export class HttpFetcher implements Fetcher {
  #options: HttpFetcherOptions
  /** Visits under way hold it: what is changed in it counts from their next request on. */
  readonly #tools: Omit<FetchTools, 'agents' | 'contact' | 'userAgent'> & {
    agents: Agents
    contact: string | null
    userAgent: string
  }

  constructor(options: HttpFetcherOptions) {
    this.#options = options
    const { clock, contact, bytesUnderWay: most } = options
    const limits = fetchLimits(options.limits)
    const turn = new TurnEnd<HttpVisit>((visit) => visit.goOn())
    const underWay = new BytesUnderWay(most === undefined ? {} : { most })
    const agents = new Agents(options, limits)
    this.#tools = { clock, limits, agents, contact, userAgent: named(options), turn, underWay }
  }

  /** Names another contact, and goes to other networks, from the next request on; open connections are not used again. */
  use(changed: Pick<HttpFetcherOptions, 'contact' | 'allowedNetworks'>): void {
    this.#options = { ...this.#options, ...changed }
    this.#tools.contact = changed.contact
    this.#tools.userAgent = named(this.#options)
    const before = this.#tools.agents
    this.#tools.agents = new Agents(this.#options, this.#tools.limits)
    // What is under way comes to its end.
    for (const agent of before.all) agent.close().catch(() => undefined)
  }

  get userAgent(): string {
    return this.#tools.userAgent
  }

  fetch(request: FetchRequest, options: FetchOptions = {}): Promise<FetchAnswer> {
    return new Promise((resolve, reject) => {
      const start = webSiteOf(request.url)
      const tools = this.#tools
      // Its time counts from when it begins.
      tools.underWay.whenRoom(() =>
        new HttpVisit({ request, options, start, resolve, reject }, tools).begin(),
      )
    })
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#tools.agents.all.map((agent) => agent.destroy()))
  }
}

function named(options: HttpFetcherOptions): string {
  return userAgent({ ...options, contact: options.contact ?? localContact })
}
