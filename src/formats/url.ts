import { OptionError } from '../model/errors.js'
import { LruMap } from '../model/lru-map.js'
import { percentNormalForm } from './percent-encoding.js'

export interface NormalUrlOptions {
  /** What a relative address is relative to. */
  readonly base?: string
  /** Parameters to leave out of the query, such as `trackingParameters`; none by default. */
  readonly without?: ReadonlySet<string>
}

/** RFC 9110 asks for 8,000 octets at least; longer addresses are traps. */
const longest = 8000

/**
 * The one way to write the address of a page, so that one page is one row:
 * WHATWG parsing (case of scheme and host, default ports, dot segments), no
 * fragment, no user name, no trailing dot of the host, one form of percent
 * escapes, no empty query. Undefined where it is no web page's address. The
 * order of the query stays, since servers may mind it. Applied twice it
 * changes nothing more.
 */
export function normalUrl(text: string, options: NormalUrlOptions = {}): string | undefined {
  if (text.length > longest) return undefined
  const url = parsed(text.trim(), options.base)
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.hostname.endsWith('.') && !undotted(url)) return undefined
  const path = percentNormalForm(url.pathname)
  const query = queryWithout(url.search.slice(1), options.without)
  const normal = `${url.protocol}//${url.host}${path}${query === '' ? '' : `?${query}`}`
  return normal.length > longest ? undefined : normal
}

/** A parse that fails is rare, and cheaper caught than asked for beforehand. */
function parsed(text: string, base: string | undefined): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Takes the dots from the end of the host; false where nothing is left. */
function undotted(url: URL): boolean {
  const host = url.hostname.replace(/\.+$/, '')
  if (host !== '') url.hostname = host
  return host !== ''
}

function queryWithout(query: string, without: ReadonlySet<string> | undefined): string {
  const normal = percentNormalForm(query)
  if (without === undefined) return normal
  const kept = normal.split('&').filter((part) => !without.has(part.split('=')[0]!.toLowerCase()))
  return kept.join('&')
}

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

/** The site of an address that must be one of the web. */
export function webSiteOf(url: string): Site {
  const site = siteOf(url)
  if (site === undefined)
    throw new OptionError('bad-url', `"${url.slice(0, 200)}" is no address of a web page`)
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
const origins = new LruMap<Origin | null>({ most: 10_000 })

function originIn(start: string): Origin | null {
  const parsed = parsedSite(`${start}/`)
  const origin = parsed?.origin === start ? parsed : null
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

/**
 * The server that politeness is about: host and port, whatever the scheme, so
 * that http and https of one site share one delay. Undefined if it is no web
 * address.
 */
export function webHostOf(url: string): string | undefined {
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

/** Parameters that tell who sent the reader and never what is on the page. */
export const trackingParameters: ReadonlySet<string> = new Set([
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'utm_id',
  'fbclid',
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'msclkid',
  'yclid',
  'twclid',
  'ttclid',
  'igshid',
  'mc_cid',
  'mc_eid',
  '_hsenc',
  '_hsmi',
  'mkt_tok',
  'oly_anon_id',
  'oly_enc_id',
  'vero_id',
])

/** Endings of files that a person may have misspelt, none of which is a name on the web. */
const fileEnding =
  /\.(txt|csv|tsv|xml|opml|rss|atom|yaml|yml|json|jsonl|html?|gz|zip|log|db|pdf|warc)$/i
const bareHost = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}[\p{L}\p{N}-]+(:\d+)?(?=[/?#]|$)/u
const ownMachine = /^(localhost|\d{1,3}(\.\d{1,3}){3})(:\d+)?(?=[/?#]|$)/i

/** `example.org/news` as a person types it, with the scheme that it most likely has; others as they are. */
export function withScheme(text: string): string {
  const bare = text.trim()
  if (ownMachine.test(bare)) return `http://${bare}`
  const host = bareHost.exec(bare)?.[0]
  return host === undefined || fileEnding.test(host) ? text : `https://${bare}`
}
