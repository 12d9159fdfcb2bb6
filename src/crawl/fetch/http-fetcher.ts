import {
  type Clock,
  type FetchAnswer,
  type Fetcher,
  type FetchOptions,
  type FetchRequest,
  OptionError,
} from '../../model/index.js'
import { AddressGuard, type AddressOptions } from '../address/address-guard.js'
import { type Site, siteOf } from '../url/site.js'
import { BytesUnderWay } from './bytes-under-way.js'
import { type FetchLimits, fetchLimits } from './fetch-limits.js'
import { guardedAgent } from './guarded-agent.js'
import { type FetchTools, HttpVisit } from './http-visit.js'
import { TurnEnd } from './turn-end.js'
import { userAgent } from './user-agent.js'

export interface HttpFetcherOptions extends AddressOptions {
  readonly clock: Clock
  /** A web or e-mail address at which the person who runs this can be reached. */
  readonly contact: string
  /** Of this software. */
  readonly version: string
  readonly limits?: Partial<FetchLimits>
  /** 1 unless said: more is impolite. */
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
  readonly #tools: FetchTools

  constructor(options: HttpFetcherOptions) {
    const { clock, connectionsPerHost = 1 } = options
    const limits = fetchLimits(options.limits)
    const guard = new AddressGuard(options)
    const agent = guardedAgent({ guard, limits, connectionsPerHost })
    const turn = new TurnEnd<HttpVisit>((visit) => visit.goOn())
    const { bytesUnderWay: most } = options
    const underWay = new BytesUnderWay(most === undefined ? {} : { most })
    this.#tools = { clock, limits, agent, userAgent: userAgent(options), turn, underWay }
  }

  get userAgent(): string {
    return this.#tools.userAgent
  }

  fetch(request: FetchRequest, options: FetchOptions = {}): Promise<FetchAnswer> {
    return new Promise((resolve, reject) => {
      const start = webSite(request.url)
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

function webSite(text: string): Site {
  const site = siteOf(text)
  if (site === undefined)
    throw new OptionError('bad-url', `"${text.slice(0, 200)}" is no address of a web page`)
  return site
}
