/** What every request passes before a route sees it: host, rate, origin, and the right to ask. */

import { BlockList, isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UnixSeconds } from '../../model/units.js'
import { ApiError } from '../errors.js'
import type { ServiceOptions, ServiceParts } from '../service-parts.js'
import type { Keys } from './keys.js'
import type { Password } from './password.js'
import { RequestLimit } from './request-limit.js'
import { keyNeeded, keyOf, noSession, type Sessions, sessionOf, wrongKey } from './sessions.js'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address to listen on, or a host to be asked as, is this machine alone. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const family = isIP(bare)
  if (family === 0) return /^(?:[^.]+\.)*localhost$/i.test(bare)
  return loopback.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

/** The name in a Host header, without its port; undefined where it is none. */
function hostName(header: string | undefined): string | undefined {
  const found = /^(\[[\da-f:.]+\]|[^:[\]\s/@]+)(?::\d{1,5})?$/i.exec(header ?? '')
  return found?.[1]?.toLowerCase()
}

/** Methods that change nothing. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page elsewhere may give its own name our address (DNS rebinding), and its
 * scripts then speak to us as to their own server. They still name their host:
 * only addresses, localhost and names that were allowed are answered.
 */
function checkHost(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  const name = hostName(request.headers.host)
  if (name === undefined) throw new ApiError(400, 'bad-host', 'the Host header is missing or wrong')
  const bare = name.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 || isLoopback(name) || allowed.has(name)) return
  throw new ApiError(
    421,
    'unknown-host',
    `this server does not answer as ${name}; add the name to allowed-hosts`,
  )
}

/**
 * A page elsewhere may send requests in the name of whoever looks at it.
 * Browsers tell where a request comes from; what is not from our own pages
 * may not write. Programs tell nothing, and may.
 */
function checkOrigin(request: FastifyRequest): void {
  if (reading.has(request.method)) return
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const foreign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (foreign || (origin !== undefined && !sameHost(origin, host)))
    throw new ApiError(
      403,
      'foreign-origin',
      'this request was made by a page of another site; only our own pages may write',
    )
}

/** The scheme is left out: behind a proxy we cannot know it. */
function sameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase()
}

/** Seconds of the allowed requests that may come at once. */
const burst = 5

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
function needsKey(options: ServiceOptions): boolean {
  const { host = '127.0.0.1', allowedHosts = [], requireKey = false } = options
  return requireKey || !isLoopback(host) || allowedHosts.some((name) => !isLoopback(name))
}

/** What every request passes before it is visited. */
export class Safety {
  readonly #clock: ServiceParts['clock']
  readonly #keys: Keys
  readonly #sessions: Sessions
  readonly #password: Password
  readonly #keyNeeded: boolean
  readonly #allowed: ReadonlySet<string>
  readonly #limit: RequestLimit

  constructor(
    parts: { clock: ServiceParts['clock']; keys: Keys; sessions: Sessions; password: Password },
    options: ServiceOptions,
  ) {
    this.#clock = parts.clock
    this.#keys = parts.keys
    this.#sessions = parts.sessions
    this.#password = parts.password
    this.#keyNeeded = needsKey(options)
    this.#allowed = new Set((options.allowedHosts ?? []).map((name) => name.toLowerCase()))
    const perSecond = options.requestsPerSecond ?? requestsPerSecond
    this.#limit = new RequestLimit({ perSecond, atOnce: perSecond * burst })
  }

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers(headers)
    checkHost(request, this.#allowed)
    this.#checkLimit(request, reply)
    checkOrigin(request)
    if (this.#keyNeeded && !open.has(request.url.split('?')[0]!) && !showsDashboard(request))
      await this.#checkRight(request)
  }

  /** A key goes before a session: a program says what it means. */
  async #checkRight(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    const now = this.#clock.now()
    if (key !== undefined) {
      if ((await this.#keys.nameOf(key, now)) === undefined) throw wrongKey()
      return
    }
    const session = sessionOf(request)
    if (session === undefined) throw keyNeeded()
    const holder = await this.#sessions.holderOf(session, now)
    if (holder === undefined || !(await this.#holds(holder, now))) throw noSession()
  }

  /** A session ends with the key or the password that it was opened with. */
  async #holds(holder: string, now: UnixSeconds): Promise<boolean> {
    return (await this.#keys.has(holder, now)) || (await this.#password.has(holder, now))
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
