import { checkPageHeaders, type FetchRequest, type Validators } from '../../model/index.js'
import { acceptedCodings } from './unpacked-body.js'

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
export function conditions({ validators, unconditional }: FetchRequest): Validators {
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
