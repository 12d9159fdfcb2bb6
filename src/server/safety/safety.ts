import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.js'
import type { ServiceOptions, ServiceParts } from '../service-parts.js'
import { keyNeeded, keyOf, noSession, sessionOf, wrongKey } from './key-check.js'
import type { Keys } from './keys.js'
import { isLoopback } from './loopback.js'
import { checkHost, checkOrigin } from './request-checks.js'
import { RequestLimit } from './request-limit.js'
import type { Sessions } from './sessions.js'

/** Asked by those who watch over processes, who have no key; they tell nothing of pages. */
const open = new Set(['/health', '/ready', '/api/session'])
/** The dashboard's own files hold no secret, and ask for the key. */
const dashboardFile =
  /^\/(index\.html|(theme|language)\.js|icon\.svg|papers\.json|(assets|papers)\/[\w./-]+)?$/

const requestsPerSecond = 100

/** Nothing of an answer may be run, framed or sniffed; routes that show pages say otherwise. */
const headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
} as const

/** Whether requests must bring a key: always, where others than this machine may ask. */
export function needsKey(options: ServiceOptions): boolean {
  const { host = '127.0.0.1', allowedHosts = [], requireKey = false } = options
  return requireKey || !isLoopback(host) || allowedHosts.some((name) => !isLoopback(name))
}

/** What every request passes before it is looked at. */
export class Safety {
  readonly #clock: ServiceParts['clock']
  readonly #keys: Keys
  readonly #sessions: Sessions
  readonly #keyNeeded: boolean
  readonly #allowed: ReadonlySet<string>
  readonly #limit: RequestLimit

  constructor(
    parts: { clock: ServiceParts['clock']; keys: Keys; sessions: Sessions },
    options: ServiceOptions,
  ) {
    this.#clock = parts.clock
    this.#keys = parts.keys
    this.#sessions = parts.sessions
    this.#keyNeeded = needsKey(options)
    this.#allowed = new Set((options.allowedHosts ?? []).map((name) => name.toLowerCase()))
    this.#limit = new RequestLimit({ perSecond: options.requestsPerSecond ?? requestsPerSecond })
  }

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers(headers)
    checkHost(request, this.#allowed)
    this.#checkLimit(request, reply)
    checkOrigin(request)
    if (this.#keyNeeded && !open.has(request.url.split('?')[0]!) && !showsDashboard(request))
      await this.#checkRight(request)
  }

  /** The id of a session for the one who brings this key. */
  async openSession(key: string): Promise<string> {
    await this.#checkKey(key)
    return this.#sessions.open(key, this.#clock.now())
  }

  endSession(id: string): Promise<void> {
    return this.#sessions.end(id, this.#clock.now())
  }

  /** A key goes before a session: a program says what it means. */
  async #checkRight(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    if (key !== undefined) return this.#checkKey(key)
    const session = sessionOf(request)
    if (session === undefined) throw keyNeeded()
    const now = this.#clock.now()
    const digest = await this.#sessions.keyOf(session, now)
    if (digest === undefined || !(await this.#keys.has(digest, now))) throw noSession()
  }

  async #checkKey(key: string): Promise<void> {
    if ((await this.#keys.nameOf(key, this.#clock.now())) === undefined) throw wrongKey()
  }

  #checkLimit(request: FastifyRequest, reply: FastifyReply): void {
    const wait = this.#limit.wait(request.ip, this.#clock.now())
    if (wait === 0) return
    reply.header('retry-after', String(Math.ceil(wait)))
    throw new ApiError(429, 'too-many-requests', 'too many requests; wait as Retry-After says')
  }
}

/** By the route that was found, not by what was asked. */
function showsDashboard({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && dashboardFile.test(routeOptions.url ?? '-')
}
