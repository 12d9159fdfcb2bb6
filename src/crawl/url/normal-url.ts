import { percentNormalForm } from '../../formats/index.js'

export interface NormalUrlOptions {
  /** What a relative address is relative to. */
  readonly base?: string
  /** Parameters to leave out of the query, such as `trackingParameters`; none unless said. */
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
