/** What robots.txt and politeness go by in an address. */
export interface Site {
  /** Host and port, whatever the scheme, so that http and https of one site share one delay. */
  readonly host: string
  /** Scheme, host and port: each has a robots.txt of its own. */
  readonly origin: string
  /** Path and query, which the rules of robots.txt are about. */
  readonly path: string
}

/** The site of an address, parsed once for all who ask; undefined if it is no web address. */
export function siteOf(url: string): Site | undefined {
  if (lastSite?.url === url) return lastSite.site
  const site = siteIn(parsedUrl(url))
  lastSite = { url, site }
  return site
}

/** What was asked for last: a visit asks for the site of its page several times in a row. */
let lastSite: { readonly url: string; readonly site: Site | undefined } | undefined

function siteIn(parsed: URL | undefined): Site | undefined {
  if (parsed === undefined || parsed.host === '') return undefined
  const { protocol, host, origin, pathname, search } = parsed
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  return { host, origin, path: pathname + search }
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

/** Undefined where it is no address. Asked once: `canParse` would parse it twice. Not to be changed: the last is kept. */
export function parsedUrl(text: string): URL | undefined {
  if (lastParsed?.text === text) return lastParsed.url
  const url = parsedAnew(text)
  lastParsed = { text, url }
  return url
}

let lastParsed: { readonly text: string; readonly url: URL | undefined } | undefined

function parsedAnew(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
