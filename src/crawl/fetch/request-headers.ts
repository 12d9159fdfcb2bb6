import { type FetchRequest, OptionError } from '../../model/index.js'
import { acceptedCodings } from './unpacked-body.js'

/** Headers that belong to the connection or to us. */
const reserved =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|te|upgrade|expect|accept-encoding|if-none-match|if-modified-since)$/i
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
/** What may be sent back; a server's own mark beyond this is not worth a broken request. */
const plain = /^[\x20-\x7e]{1,1000}$/

/**
 * The headers of one hop. A page's own (cookies, authorisation) go only to
 * where the page is: `own` is false once a redirect has led elsewhere.
 */
export function requestHeaders(
  request: FetchRequest,
  { agent, own }: { readonly agent: string; readonly own: boolean },
): Record<string, string> {
  return {
    'user-agent': agent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': acceptedCodings,
    ...(own ? pageHeaders(request.headers ?? {}) : {}),
    ...conditions(request),
  }
}

/** Whether the server may answer "not modified". */
export function isConditional(request: FetchRequest): boolean {
  return Object.keys(conditions(request)).length > 0
}

function conditions({ validators, unconditional }: FetchRequest): Record<string, string> {
  if (validators === undefined || unconditional === true) return {}
  const { etag = '', lastModified = '' } = validators
  return {
    ...(plain.test(etag) ? { 'if-none-match': etag } : {}),
    ...(plain.test(lastModified) ? { 'if-modified-since': lastModified } : {}),
  }
}

function pageHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  for (const [name, value] of entries) {
    if (reserved.test(name))
      throw new OptionError(
        'reserved-header',
        `a page may not set the header "${name}"; leave it out`,
      )
    if (!token.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new OptionError('bad-header', `the header "${name}" cannot be sent as it is`)
  }
  return Object.fromEntries(entries)
}

/** The Authorization header of a user name and a password. RFC 7617. */
export function basicAuthorization({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}
