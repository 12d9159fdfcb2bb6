import type { Agent } from 'undici'
import {
  type Answered,
  type Clock,
  type FetchAnswer,
  type FetchOptions,
  type FetchRequest,
  OptionError,
  type Validators,
} from '../../model/index.js'
import type { Site } from '../url/site.js'
import { answerKind, isRedirect, redirectKind } from './answer-kind.js'
import type { BytesUnderWay } from './bytes-under-way.js'
import type { BodyLimit, CollectedBody } from './collected-body.js'
import { Deadline } from './deadline.js'
import { type ExchangeUse, exchange, type HopAnswer } from './exchange.js'
import { contentAnswer, laterAnswer, plainAnswer } from './fetch-answers.js'
import { FetchFailure, failureOf } from './fetch-failure.js'
import type { FetchLimits } from './fetch-limits.js'
import { RedirectTrail } from './redirect-trail.js'
import { conditions, requestHeaders } from './request-headers.js'
import type { TurnEnd } from './turn-end.js'
import { unpackedBody } from './unpacked-body.js'

/** What all visits of a fetcher are made with. */
export interface FetchTools {
  readonly clock: Clock
  readonly limits: FetchLimits
  readonly agent: Agent
  readonly userAgent: string
  /** Where visits wait that have been answered. */
  readonly turn: TurnEnd<HttpVisit>
  /** What all of them hold. */
  readonly underWay: BytesUnderWay
}

interface Asked {
  readonly request: FetchRequest
  readonly options: FetchOptions
  readonly start: Site
}

/**
 * One visit from the first request to the last redirect's answer. Each of its
 * exchanges asks it what to do, and tells it how it ended: of the promises that
 * could stand in between, one for all of them is left.
 */
export class HttpVisit implements ExchangeUse {
  readonly #asked: Asked
  readonly #tools: FetchTools
  readonly #trail: RedirectTrail
  readonly deadline: Deadline
  readonly limit: BodyLimit
  /** What is sent back, so that the server may answer "not modified". */
  readonly #sent: Validators
  readonly #conditional: boolean
  #bytesReceived = 0
  #hopAnswer: HopAnswer | undefined
  #resolve: ((answer: FetchAnswer) => void) | undefined
  #reject: ((reason: unknown) => void) | undefined

  constructor(asked: Asked, tools: FetchTools) {
    const { request, options, start } = asked
    const { limits } = tools
    this.#asked = asked
    this.#tools = tools
    const most = options.maxRedirects ?? limits.redirects
    this.#trail = new RedirectTrail(start, { most, home: request.home })
    const { wholeTime, leastSpeed } = limits
    this.deadline = new Deadline({ wholeTime, leastSpeed, caller: options.signal })
    const { maxBytes = limits.bodyBytes, whenLarger = 'fail' } = options
    this.limit = { maxBytes, whenLarger }
    this.#sent = conditions(request)
    const { etag, lastModified } = this.#sent
    this.#conditional = etag !== undefined || lastModified !== undefined
  }

  get agent(): Agent {
    return this.#tools.agent
  }

  get underWay(): BytesUnderWay {
    return this.#tools.underWay
  }

  get clock(): Clock {
    return this.#tools.clock
  }

  /** Resolves with an answer or a failure; rejects where the request cannot be made at all. */
  begin(resolve: (answer: FetchAnswer) => void, reject: (reason: unknown) => void): void {
    this.#resolve = resolve
    this.#reject = reject
    this.#hop()
  }

  wanted(status: number, headers: Readonly<Record<string, string>>): boolean {
    return !isRedirect(status, headers) && this.#kindOf(status) === 'content'
  }

  onBytes(size: number): void {
    this.#bytesReceived += size
  }

  /** An exchange has ended; `goOn` is called for it soon. */
  answered(hop: HopAnswer): void {
    this.#hopAnswer = hop
    this.#tools.turn.add(this)
  }

  /** To where a redirect leads, or to the end. */
  goOn(): void {
    const hop = this.#hopAnswer!
    try {
      if (isRedirect(hop.status, hop.headers))
        this.#follow(hop).catch((error: unknown) => this.failed(error))
      else this.#answer(hop)
    } catch (error) {
      this.failed(error)
    }
  }

  failed(error: unknown): void {
    const { deadline } = this
    deadline.end()
    if (error instanceof OptionError) this.#reject!(error)
    else this.#resolve!(this.#failure(failureOf(error, deadline)))
  }

  #failure({ fault, message }: FetchFailure): FetchAnswer {
    const bytesReceived = this.#bytesReceived
    return { kind: 'failed', fault, message, at: this.clock.now(), bytesReceived }
  }

  async #follow({ status, headers }: HopAnswer): Promise<void> {
    const { mayFollow } = this.#asked.options
    const next = this.#trail.follow(headers.location!, redirectKind(status)!)
    this.deadline.pause()
    if (mayFollow !== undefined && !(await mayFollow(next.href)))
      throw new FetchFailure(
        'redirect-refused',
        `the redirect to ${next.href} is not to be followed`,
      )
    this.#hop()
  }

  #hop(): void {
    const { limits, userAgent } = this.#tools
    const { origin, path } = this.#trail.site
    try {
      this.deadline.throwIfReached()
      this.deadline.startHop(limits.firstByteTime)
      const { request } = this.#asked
      const headers = requestHeaders(request, {
        agent: userAgent,
        own: request.headers !== undefined && this.#trail.atHome,
        sent: this.#sent,
      })
      exchange({ method: 'GET', origin, path, headers }, this)
    } catch (error) {
      this.failed(error)
    }
  }

  #kindOf(status: number): ReturnType<typeof answerKind> {
    return answerKind(status, { conditional: this.#conditional })
  }

  #answer(hop: HopAnswer): void {
    const kind = this.#kindOf(hop.status)
    if (kind === null)
      throw new FetchFailure('bad-answer', `the server answered with status ${hop.status}`)
    const answered = this.#answered(hop)
    if (kind === 'content') this.#content(answered, hop.body!)
    else if (kind !== 'later') this.#end(plainAnswer(kind, answered))
    else this.#end(laterAnswer(answered, this.#tools.limits.retryAfter))
  }

  #answered({ status, at, headers }: HopAnswer): Answered {
    const { movedTo, site } = this.#trail
    const answered = { status, at, headers, url: site.href, bytesReceived: this.#bytesReceived }
    return movedTo === undefined ? answered : { ...answered, movedTo }
  }

  #content(answered: Answered, body: CollectedBody): void {
    const coding = answered.headers['content-encoding'] ?? ''
    if (coding === '') this.#end(contentAnswer(body.bytes, answered))
    else
      unpackedBody(body, { ...this.limit, coding })
        .then((bytes) => this.#end(contentAnswer(bytes, answered)))
        .catch((error: unknown) => this.failed(error))
  }

  #end(answer: FetchAnswer): void {
    this.deadline.end()
    this.#resolve!(answer)
  }
}
