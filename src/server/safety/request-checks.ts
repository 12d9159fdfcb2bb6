import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../api-error.js'
import { hostName, isLoopback } from './loopback.js'

/** Methods that change nothing. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A page elsewhere may give its own name our address (DNS rebinding), and its
 * scripts then speak to us as to their own server. They still name their host:
 * only addresses, localhost and names that were allowed are answered.
 */
export function checkHost(request: FastifyRequest, allowed: ReadonlySet<string>): void {
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
export function checkOrigin(request: FastifyRequest): void {
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
