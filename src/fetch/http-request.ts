import type { Agent } from 'undici'
import { type Site, siteOf } from '../formats/url.js'
import { OptionError } from '../model/errors.js'
import type { Answered, FetchAnswer, FetchOptions, FetchRequest } from '../model/fetcher.js'
import type { Validators } from '../model/page.js'
import type { Clock } from '../model/units.js'
import {
  answerKind,
  contentAnswer,
  FetchFailure,
  failureOf,
  isRedirect,
  laterAnswer,
  plainAnswer,
  redirectKind,
} from './answer.js'
import {
  acceptedCodings,
  type BodyLimit,
  type BytesUnderWay,
  type CollectedBody,
  unpackedBody,
} from './body.js'
import { checkContact } from './contact.js'
import { Deadline } from './deadline.js'
import { type ExchangeUse, exchange, type HopAnswer } from './exchange.js'
import type { FetchLimits } from './limits.js'
import { checkPageHeaders, isOwnSite } from './page-headers.js'

/** What may be sent back; a server's own mark beyond this is not worth a broken request. */
const plain = /^[\x20-\x7e]{1,1000}$/

/**
 * The headers of one hop. A page's own (cookies, authorisation) go only to
 * the page's own site: `own` is false where it has moved or was led elsewhere.
 */
export function requestHeaders(
  request: FetchRequest,
  {
    agent,
    own,
    sent = conditions(request),
  }: { readonly agent: string; readonly own: boolean; readonly sent?: Validators },
): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': agent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': acceptedCodings,
  }
  if (own && request.headers !== undefined) Object.assign(headers, pageHeaders(request.headers))
  const { etag, lastModified } = sent
  if (etag !== undefined) headers['if-none-match'] = etag
  if (lastModified !== undefined) headers['if-modified-since'] = lastModified
  return headers
}

/** The marks that can be sent back: with any of them the server may answer "not modified". */
function conditions({ validators, unconditional }: FetchRequest): Validators {
  if (validators === undefined || unconditional === true) return {}
  const { etag = '', lastModified = '' } = validators
  const [sendsTag, sendsTime] = [plain.test(etag), plain.test(lastModified)]
  if (sendsTag && sendsTime) return validators
  return sendsTag ? { etag } : sendsTime ? { lastModified } : {}
}

function pageHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  checkPageHeaders(headers)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** The Authorization header of a user name and a password. RFC 7617. */
export function basicAuthorization({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

/** Where the redirects of one visit have led so far. */
class RedirectTrail {
  readonly #start: Site
  readonly #home: string
  readonly #most: number
  /** Made at the first redirect: most visits see none. */
  #seen: Set<string> | undefined
  #permanent = true
  /** Where it leads now. */
  site: Site

  /** `home` is the page's own address, where that is not the start. */
  constructor(
    start: Site,
    { most, home = start.href }: { readonly most: number; readonly home?: string | undefined },
  ) {
    this.#start = start
    this.#home = home
    this.#most = most
    this.site = start
  }

  /** Whether the page's own headers may be sent to where it leads now. */
  get atHome(): boolean {
    return isOwnSite({ url: this.site.href, home: this.#home })
  }

  /** Where the page has moved for good, if every redirect says so. */
  get movedTo(): string | undefined {
    return this.#permanent && this.#seen !== undefined ? withoutFragment(this.site) : undefined
  }

  /** Takes a redirect; throws where it leads nowhere, in a circle, too far, or out of the web. */
  follow(location: string, kind: 'permanent' | 'temporary'): Site {
    const next = this.#siteAt(location)
    const key = withoutFragment(next)
    const seen = this.#seen ?? new Set([withoutFragment(this.#start)])
    if (seen.has(key)) throw new FetchFailure('redirect-loop', `redirected to ${key} again`)
    if (seen.size > this.#most)
      throw new FetchFailure('too-many-redirects', `more than ${this.#most} redirects`)
    this.#seen = seen.add(key)
    this.#permanent &&= kind === 'permanent'
    this.site = next
    return next
  }

  #siteAt(location: string): Site {
    const here = this.site.href
    const url = URL.canParse(location, here) ? new URL(location, here) : undefined
    if (url !== undefined) {
      url.username = ''
      url.password = ''
    }
    const site = url && siteOf(url.href)
    if (site === undefined)
      throw new FetchFailure('bad-answer', 'the server redirects to what is no web address')
    return site
  }
}

function withoutFragment({ href }: Site): string {
  return href.replace(/#.*$/, '')
}

/**
 * Takes up at the end of a turn of the event loop what came in it. With many
 * hosts many answers come in one turn, and each is worked off in many small
 * steps: the same step for all of them, one after the other, runs from the
 * processor's caches, where each answer to its end would push the code of the
 * others out. That saves a visit an eighth of its time on the network's thread.
 * `take` must not throw.
 */
export class TurnEnd<Item> {
  readonly #take: (item: Item) => void
  #items: Item[] = []

  constructor(take: (item: Item) => void) {
    this.#take = take
  }

  add(item: Item): void {
    if (this.#items.push(item) === 1) setImmediate(() => this.#takeAll())
  }

  #takeAll(): void {
    const items = this.#items
    this.#items = []
    for (const item of items) this.#take(item)
  }
}

/** What all visits of a fetcher are made with. */
export interface FetchTools {
  readonly clock: Clock
  readonly limits: FetchLimits
  readonly agents: { readonly usual: Agent; through(proxy: string): Agent }
  readonly userAgent: string
  /** At which we can be reached; without one no public host is asked. */
  readonly contact: string | null
  /** Where visits wait that have been answered. */
  readonly turn: TurnEnd<HttpVisit>
  /** What all of them hold. */
  readonly underWay: BytesUnderWay
}

interface Asked {
  readonly request: FetchRequest
  readonly options: FetchOptions
  readonly start: Site
  /** With an answer or a failure. */
  readonly resolve: (answer: FetchAnswer) => void
  /** Where the request cannot be made at all. */
  readonly reject: (reason: unknown) => void
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
    const { agents } = this.#tools
    const { proxy } = this.#asked.request
    return proxy === undefined ? agents.usual : agents.through(proxy)
  }

  get underWay(): BytesUnderWay {
    return this.#tools.underWay
  }

  get clock(): Clock {
    return this.#tools.clock
  }

  begin(): void {
    this.#hop()
  }

  maySend(): boolean {
    return this.#asked.options.maySend?.() ?? true
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
    if (!(error instanceof OptionError)) {
      this.#end(this.#failure(failureOf(error, deadline)))
      return
    }
    deadline.end()
    this.#tools.underWay.ended()
    this.#asked.reject(error)
  }

  #failure({ fault, message }: FetchFailure): FetchAnswer {
    const bytesReceived = this.#bytesReceived
    return { kind: 'failed', fault, message, at: this.clock.now(), bytesReceived }
  }

  async #follow({ status, headers }: HopAnswer): Promise<void> {
    const { mayFollow } = this.#asked.options
    const next = this.#trail.follow(headers.location!, redirectKind(status)!)
    this.deadline.pause()
    // Before its robots.txt is asked for.
    checkContact(next.href, this.#tools.contact)
    if (mayFollow !== undefined && !(await mayFollow(next.href)))
      throw new FetchFailure(
        'redirect-refused',
        `the redirect to ${next.href} is not to be followed`,
      )
    this.#hop()
  }

  #hop(): void {
    const { limits, userAgent, contact } = this.#tools
    const { origin, path, href } = this.#trail.site
    try {
      checkContact(href, contact)
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
    this.#tools.underWay.ended()
    this.#asked.resolve(answer)
  }
}
