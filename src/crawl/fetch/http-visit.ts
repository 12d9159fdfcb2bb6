import type { Agent } from 'undici'
import type {
  Answered,
  Clock,
  FetchAnswer,
  FetchOptions,
  FetchRequest,
  Validators,
} from '../../model/index.js'
import type { Site } from '../url/site.js'
import { answerKind, redirectKind } from './answer-kind.js'
import type { BodyLimit, CollectedBody } from './collected-body.js'
import type { Deadline } from './deadline.js'
import { type ExchangeOptions, exchanged, type HopAnswer } from './exchange.js'
import { FetchFailure } from './fetch-failure.js'
import type { FetchLimits } from './fetch-limits.js'
import { RedirectTrail } from './redirect-trail.js'
import { conditions, requestHeaders } from './request-headers.js'
import { retryAfter } from './retry-after.js'
import { unpackedBody } from './unpacked-body.js'

export interface HttpVisitOptions {
  readonly request: FetchRequest
  readonly options: FetchOptions
  readonly limits: FetchLimits
  readonly deadline: Deadline
  readonly agent: Agent
  readonly clock: Clock
  readonly userAgent: string
}

/** One visit from the first request to the last redirect's answer. Each of its exchanges asks it what to do. */
export class HttpVisit implements ExchangeOptions {
  readonly #with: HttpVisitOptions
  readonly limit: BodyLimit
  /** What is sent back, so that the server may answer "not modified". */
  readonly #sent: Validators
  readonly #conditional: boolean
  bytesReceived = 0

  constructor(options: HttpVisitOptions) {
    this.#with = options
    const { maxBytes = options.limits.bodyBytes, whenLarger = 'fail' } = options.options
    this.limit = { maxBytes, whenLarger }
    this.#sent = conditions(options.request)
    const { etag, lastModified } = this.#sent
    this.#conditional = etag !== undefined || lastModified !== undefined
  }

  get agent(): Agent {
    return this.#with.agent
  }

  get clock(): Clock {
    return this.#with.clock
  }

  get deadline(): Deadline {
    return this.#with.deadline
  }

  wanted(status: number, headers: Readonly<Record<string, string>>): boolean {
    return !isRedirect(status, headers) && this.#kindOf(status) === 'content'
  }

  onBytes(size: number): void {
    this.bytesReceived += size
  }

  /** Rejects, or throws at once, where there is no answer. */
  answer(start: Site): Promise<FetchAnswer> {
    const { options, limits } = this.#with
    return this.#from(new RedirectTrail(start, { most: options.maxRedirects ?? limits.redirects }))
  }

  /** Without a redirect, as most visits are, nothing is waited for but the answer. */
  #from(trail: RedirectTrail): Promise<FetchAnswer> {
    return this.#hop(trail).then((hop) =>
      isRedirect(hop.status, hop.headers) ? this.#follow(hop, trail) : this.#answer(hop, trail),
    )
  }

  async #follow({ status, headers }: HopAnswer, trail: RedirectTrail): Promise<FetchAnswer> {
    const { mayFollow } = this.#with.options
    const next = trail.follow(headers.location!, redirectKind(status)!)
    if (mayFollow !== undefined && !(await mayFollow(next.href)))
      throw new FetchFailure(
        'redirect-refused',
        `the redirect to ${next.href} is not to be followed`,
      )
    return this.#from(trail)
  }

  #hop(trail: RedirectTrail): Promise<HopAnswer> {
    const { deadline, limits, request, userAgent } = this.#with
    const { origin, path } = trail.site
    deadline.throwIfReached()
    deadline.startHop(limits.firstByteTime)
    const headers = requestHeaders(request, {
      agent: userAgent,
      own: trail.atHome,
      sent: this.#sent,
    })
    return exchanged({ method: 'GET', origin, path, headers }, this)
  }

  #kindOf(status: number): ReturnType<typeof answerKind> {
    return answerKind(status, { conditional: this.#conditional })
  }

  #answer(hop: HopAnswer, trail: RedirectTrail): FetchAnswer | Promise<FetchAnswer> {
    const kind = this.#kindOf(hop.status)
    if (kind === null)
      throw new FetchFailure('bad-answer', `the server answered with status ${hop.status}`)
    const answered = this.#answered(hop, trail)
    if (kind === 'content') return this.#content(answered, hop.body!)
    if (kind !== 'later') return withKind(kind, answered)
    const most = this.#with.limits.retryAfter
    const wait = retryAfter(hop.headers['retry-after'], { now: hop.at, most })
    return { ...answered, kind, retryAfter: wait }
  }

  #answered({ status, at, headers }: HopAnswer, trail: RedirectTrail): Answered {
    const { movedTo } = trail
    const { bytesReceived } = this
    const answered = { status, at, headers, url: trail.site.href, bytesReceived }
    return movedTo === undefined ? answered : { ...answered, movedTo }
  }

  #content(answered: Answered, body: CollectedBody): FetchAnswer | Promise<FetchAnswer> {
    const coding = answered.headers['content-encoding'] ?? ''
    if (coding === '') return withBody(body.bytes, answered)
    return unpackedBody(body, { ...this.limit, coding }).then((bytes) => withBody(bytes, answered))
  }
}

/** Field by field: every visit ends here, and copying an object with more to it takes several times as long. */
function withBody(body: Uint8Array, answered: Answered): FetchAnswer {
  const { status, at, headers, url, bytesReceived, movedTo } = answered
  const content = { kind: 'content' as const, status, at, headers, url, bytesReceived, body }
  return movedTo === undefined ? content : { ...content, movedTo }
}

function withKind(kind: 'not-modified' | 'gone' | 'refused', answered: Answered): FetchAnswer {
  const { status, at, headers, url, bytesReceived, movedTo } = answered
  const answer = { kind, status, at, headers, url, bytesReceived }
  return movedTo === undefined ? answer : { ...answer, movedTo }
}

function isRedirect(status: number, headers: Readonly<Record<string, string>>): boolean {
  return headers.location !== undefined && redirectKind(status) !== null
}
