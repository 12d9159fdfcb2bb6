import type { Agent, Dispatcher } from 'undici'
import type {
  Answered,
  Clock,
  FetchAnswer,
  FetchOptions,
  FetchRequest,
  Seconds,
} from '../../model/index.js'
import { answerKind, redirectKind } from './answer-kind.js'
import { type BodyLimit, collectedBody } from './collected-body.js'
import type { Deadline } from './deadline.js'
import { FetchFailure } from './fetch-failure.js'
import type { FetchLimits } from './fetch-limits.js'
import { RedirectTrail } from './redirect-trail.js'
import { isConditional, requestHeaders } from './request-headers.js'
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

/** Of an answer without content this much is read, so that its connection can be used again. */
const leftover = 16 * 1024
/** And no longer is waited for it: the answer itself is known. */
const leftoverTime: Seconds = 1

/** One visit from the first request to the last redirect's answer. */
export class HttpVisit {
  readonly #with: HttpVisitOptions
  readonly #body: BodyLimit
  bytesReceived = 0

  constructor(options: HttpVisitOptions) {
    this.#with = options
    const { maxBytes = options.limits.bodyBytes, whenLarger = 'fail' } = options.options
    this.#body = { maxBytes, whenLarger }
  }

  async follow(start: URL): Promise<FetchAnswer> {
    const { options, limits } = this.#with
    const trail = new RedirectTrail(start, { most: options.maxRedirects ?? limits.redirects })
    for (;;) {
      const response = await this.#exchange(trail)
      const kind = redirectKind(response.statusCode)
      const location = textHeader(response.headers.location)
      if (kind === null || location === undefined) return await this.#answer(response, trail)
      await this.#discard(response)
      const next = trail.follow(location, kind)
      if (options.mayFollow !== undefined && !(await options.mayFollow(next.href)))
        throw new FetchFailure(
          'redirect-refused',
          `the redirect to ${next.href} is not to be followed`,
        )
    }
  }

  async #exchange(trail: RedirectTrail): Promise<Dispatcher.ResponseData> {
    const { agent, deadline, limits, request, userAgent } = this.#with
    const { origin, pathname, search } = trail.url
    deadline.signal.throwIfAborted()
    deadline.startHop(limits.firstByteTime)
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: requestHeaders(request, { agent: userAgent, own: trail.atHome }),
      signal: deadline.signal,
    })
    deadline.hopBegan()
    return response
  }

  async #answer(response: Dispatcher.ResponseData, trail: RedirectTrail): Promise<FetchAnswer> {
    const { clock, limits, request } = this.#with
    const { statusCode: status } = response
    const at = clock.now()
    const headers = plainHeaders(response.headers)
    const kind = answerKind(status, { conditional: isConditional(request) })
    if (kind === 'content') {
      const body = await this.#content(response, headers['content-encoding'] ?? '')
      return { kind, ...this.#answered({ status, at, headers, trail }), body }
    }
    await this.#discard(response)
    if (kind === null)
      throw new FetchFailure('bad-answer', `the server answered with status ${status}`)
    const answered = this.#answered({ status, at, headers, trail })
    if (kind !== 'later') return { kind, ...answered }
    const wait = retryAfter(headers['retry-after'], { now: at, most: limits.retryAfter })
    return { kind, ...answered, retryAfter: wait }
  }

  #answered({
    trail,
    ...rest
  }: Pick<Answered, 'status' | 'at' | 'headers'> & { trail: RedirectTrail }): Answered {
    const { movedTo } = trail
    const { bytesReceived } = this
    return {
      ...rest,
      url: trail.url.href,
      bytesReceived,
      ...(movedTo === undefined ? {} : { movedTo }),
    }
  }

  async #content({ body }: Dispatcher.ResponseData, coding: string): Promise<Buffer> {
    const onChunk = (size: number) => {
      this.bytesReceived += size
    }
    const collected = await collectedBody(body, { ...this.#body, onChunk })
    return coding === ''
      ? collected.bytes
      : await unpackedBody(collected, { ...this.#body, coding })
  }

  /** The rest of an answer that is not needed; what goes wrong here changes nothing. */
  async #discard({ body }: Dispatcher.ResponseData): Promise<void> {
    const giveUp = setTimeout(() => body.destroy(), leftoverTime * 1000)
    await body.dump({ limit: leftover }).catch(() => {})
    clearTimeout(giveUp)
  }
}

function textHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  return plain
}
