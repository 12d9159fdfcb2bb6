import type { Agent } from 'undici'
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
import { Deadline } from './deadline.js'
import { failureOf } from './fetch-failure.js'
import { type FetchLimits, fetchLimits } from './fetch-limits.js'
import { guardedAgent } from './guarded-agent.js'
import { HttpVisit } from './http-visit.js'
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
}

/**
 * Visits pages over HTTP/1.1: conditional, unpacked, redirects followed by
 * hand, each limit kept. Whatever a server does is an answer or a failure,
 * never an exception; only a request that cannot be made at all throws.
 */
export class HttpFetcher implements Fetcher {
  readonly #clock: Clock
  readonly #limits: FetchLimits
  readonly #agent: Agent
  readonly userAgent: string

  constructor(options: HttpFetcherOptions) {
    this.#clock = options.clock
    this.#limits = fetchLimits(options.limits)
    this.userAgent = userAgent(options)
    this.#agent = guardedAgent({
      guard: new AddressGuard(options),
      limits: this.#limits,
      connectionsPerHost: options.connectionsPerHost ?? 1,
    })
  }

  async fetch(request: FetchRequest, options: FetchOptions = {}): Promise<FetchAnswer> {
    const start = webSite(request.url)
    const limits = this.#limits
    const deadline = new Deadline({ wholeTime: limits.wholeTime, caller: options.signal })
    const visit = new HttpVisit({
      request,
      options,
      limits,
      deadline,
      agent: this.#agent,
      clock: this.#clock,
      userAgent: this.userAgent,
    })
    try {
      return await visit.answer(start)
    } catch (error) {
      if (error instanceof OptionError) throw error
      const { fault, message } = failureOf(error, deadline)
      const { bytesReceived } = visit
      return { kind: 'failed', fault, message, at: this.#clock.now(), bytesReceived }
    } finally {
      deadline.end()
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

function webSite(text: string): Site {
  const site = siteOf(text)
  if (site === undefined)
    throw new OptionError('bad-url', `"${text.slice(0, 200)}" is no address of a web page`)
  return site
}
