/** What robots.txt and politeness go by in an address. */
export interface Site {
  /** Host and port, whatever the scheme, so that http and https of one site share one delay. */
  readonly host: string
  /** Scheme, host and port: each has a robots.txt of its own. */
  readonly origin: string
  /** Path and query, which the rules of robots.txt are about. */
  readonly path: string
  /** All of it, in WHATWG's form. */
  readonly href: string
}

/** The site of an address, found once for all who ask; undefined if it is no web address. */
export function siteOf(url: string): Site | undefined {
  if (lastSite?.url === url) return lastSite.site
  const site = plainSite(url) ?? parsedSite(url)
  lastSite = { url, site }
  return site
}

/** What was asked for last: a visit asks for the site of its page several times in a row. */
let lastSite: { readonly url: string; readonly site: Site | undefined } | undefined

/** A path and query in which a parser would change nothing: no dots to resolve, nothing to escape, no fragment. */
const plainPath = /^(?:\/(?!\.)|[\w\-.~!$&()*+,;=:@?]|%(?!2e))+$/i

/** Cut out, not parsed, where the address is in WHATWG's form already, as pages are kept: a fifth of the time. */
function plainSite(href: string): Site | undefined {
  const end = href.indexOf('/', 8)
  if (end < 0) return undefined
  const path = href.slice(end)
  // An empty query is part of the address, and not of what is asked for.
  if (!plainPath.test(path) || path.endsWith('?')) return undefined
  const start = href.slice(0, end)
  const met = origins.get(start)
  const known = met === undefined ? originIn(start) : met
  return known === null ? undefined : { host: known.host, origin: known.origin, path, href }
}

type Origin = Pick<Site, 'host' | 'origin'>

/** Origins met before, the same text for all addresses that begin with one; null for what is not the form of an origin. */
const origins = new Map<string, Origin | null>()
const mostOrigins = 10_000

function originIn(start: string): Origin | null {
  const parsed = parsedSite(`${start}/`)
  const origin = parsed?.origin === start ? parsed : null
  if (origins.size >= mostOrigins) origins.clear()
  origins.set(start, origin)
  return origin
}

function parsedSite(url: string): Site | undefined {
  const parsed = parsedUrl(url)
  if (parsed === undefined || parsed.host === '') return undefined
  const { protocol, host, origin, pathname, search, href } = parsed
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  return { host, origin, path: pathname + search, href }
}

/** The scheme, host and port of a page: what robots.txt and politeness are about. Undefined if it is no web address. */
export function originOf(url: string): string | undefined {
  return siteOf(url)?.origin
}

/** Where the robots.txt of a page is. RFC 9309, 2.3. */
export function robotsUrl(url: string): string | undefined {
  const origin = originOf(url)
  return origin === undefined ? undefined : `${origin}/robots.txt`
}

/**
 * The server that politeness is about: host and port, whatever the scheme, so
 * that http and https of one site share one delay. Undefined if it is no web
 * address.
 */
export function hostOf(url: string): string | undefined {
  return siteOf(url)?.host
}

/** Undefined where it is no address. Asked once: `canParse` would parse it twice. */
function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
