import { Agent, buildConnector } from 'undici'
import { webSiteOf } from '../formats/url.js'
import { userAgent } from '../formats/user-agent.js'
import type { FetchAnswer, Fetcher, FetchOptions, FetchRequest } from '../model/fetcher.js'
import type { Clock } from '../model/units.js'
import { AddressGuard, type AddressOptions } from './address-guard.js'
import { BytesUnderWay } from './body.js'
import { type FetchTools, HttpVisit, TurnEnd } from './http-request.js'
import { type FetchLimits, fetchLimits } from './limits.js'

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
}: {
  readonly guard: AddressGuard
  readonly limits: FetchLimits
  readonly connectionsPerHost: number
}): Agent {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: limits.connectTime * 1000,
    autoSelectFamily: true,
  })
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

function agentOf(options: HttpFetcherOptions, limits: FetchLimits): Agent {
  const { connectionsPerHost = 1 } = options
  return guardedAgent({ guard: new AddressGuard(options), limits, connectionsPerHost })
}

export interface HttpFetcherOptions extends AddressOptions {
  readonly clock: Clock
  /** A web or e-mail address at which the person who runs this can be reached. */
  readonly contact: string
  /** Of this software. */
  readonly version: string
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
  readonly #tools: { -readonly [Name in keyof FetchTools]: FetchTools[Name] }

  constructor(options: HttpFetcherOptions) {
    this.#options = options
    const { clock, bytesUnderWay: most } = options
    const limits = fetchLimits(options.limits)
    const turn = new TurnEnd<HttpVisit>((visit) => visit.goOn())
    const underWay = new BytesUnderWay(most === undefined ? {} : { most })
    const agent = agentOf(options, limits)
    this.#tools = { clock, limits, agent, userAgent: userAgent(options), turn, underWay }
  }

  /** Names another contact, and goes to other networks, from the next request on; open connections are not used again. */
  use(changed: Pick<HttpFetcherOptions, 'contact' | 'allowedNetworks'>): void {
    this.#options = { ...this.#options, ...changed }
    this.#tools.userAgent = userAgent(this.#options)
    const before = this.#tools.agent
    this.#tools.agent = agentOf(this.#options, this.#tools.limits)
    // What is under way comes to its end.
    before.close().catch(() => undefined)
  }

  get userAgent(): string {
    return this.#tools.userAgent
  }

  fetch(request: FetchRequest, options: FetchOptions = {}): Promise<FetchAnswer> {
    return new Promise((resolve, reject) => {
      const start = webSiteOf(request.url)
      const { underWay } = this.#tools
      underWay.whenRoom(() => {
        const ended =
          <T>(settle: (end: T) => void) =>
          (result: T) => {
            underWay.ended()
            settle(result)
          }
        const visit = new HttpVisit({ request, options, start }, this.#tools)
        visit.begin(ended(resolve), ended(reject))
      })
    })
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.#tools.agent.destroy()
  }
}
