import { parsedHttpDate } from '../formats/time/web-dates.js'
import type { Answered, FetchAnswer, FetchFault } from '../model/fetcher.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import { type Deadline, TimeUp, TooSlow } from './deadline.js'

/**
 * What a status means to a visit that is no redirect; null where it is not an
 * answer to what was asked: part of a page, 304 to a plain request, a number
 * outside HTTP. RFC 9110, 15.
 */
export function answerKind(
  status: number,
  { conditional }: { readonly conditional: boolean },
): Exclude<FetchAnswer['kind'], 'failed'> | null {
  if (status === 304) return conditional ? 'not-modified' : null
  if (status >= 200 && status < 300) return status === 206 ? null : 'content'
  if (status === 404 || status === 410) return 'gone'
  if (status === 408 || status === 425 || status === 429) return 'later'
  if (status >= 400 && status < 500) return 'refused'
  return status >= 500 && status < 600 ? 'later' : null
}

/** Redirects that carry a Location; the permanent ones are 301 and 308. */
export function redirectKind(status: number): 'permanent' | 'temporary' | null {
  if (status === 301 || status === 308) return 'permanent'
  return status === 302 || status === 303 || status === 307 ? 'temporary' : null
}

/** Whether an answer leads elsewhere. */
export function isRedirect(status: number, headers: Readonly<Record<string, string>>): boolean {
  return headers.location !== undefined && redirectKind(status) !== null
}

/**
 * How long Retry-After asks to wait, in seconds or until a date, at most `most`;
 * null where it is missing or says nothing. RFC 9110, 10.2.3.
 */
export function retryAfter(
  text: string | undefined,
  { now, most }: { readonly now: UnixSeconds; readonly most: Seconds },
): Seconds | null {
  const trimmed = text?.trim() ?? ''
  const wait = /^\d+$/.test(trimmed) ? Number(trimmed) : parsedHttpDate(trimmed, { now }) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), most)
}

/** Field by field, here and below: every visit ends here, and copying an object with more to it takes several times as long. */
export function contentAnswer(body: Uint8Array, answered: Answered): FetchAnswer {
  const { status, at, headers, url, bytesReceived, movedTo } = answered
  const content = { kind: 'content' as const, status, at, headers, url, bytesReceived, body }
  return movedTo === undefined ? content : { ...content, movedTo }
}

export function plainAnswer(
  kind: 'not-modified' | 'gone' | 'refused',
  answered: Answered,
): FetchAnswer {
  const { status, at, headers, url, bytesReceived, movedTo } = answered
  const answer = { kind, status, at, headers, url, bytesReceived }
  return movedTo === undefined ? answer : { ...answer, movedTo }
}

/** The server asks to come back, for no longer than `most`, or failed. */
export function laterAnswer(answered: Answered, most: Seconds): FetchAnswer {
  const { at, headers } = answered
  const wait = retryAfter(headers['retry-after'], { now: at, most })
  return { ...answered, kind: 'later', retryAfter: wait }
}

/** A visit that ended without an answer: thrown inside the fetcher, never out of it. */
export class FetchFailure extends Error {
  readonly fault: FetchFault

  constructor(fault: FetchFault, message: string) {
    super(message)
    this.fault = fault
  }
}

const faultOfCode: Readonly<Record<string, FetchFault>> = {
  ADDRESS_REFUSED: 'address-refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ESERVFAIL: 'dns',
  EREFUSED: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EPERM: 'connect',
  EINVAL: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  HPE_HEADER_OVERFLOW: 'too-large',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  EPROTO: 'tls',
}

/** What an error of undici, a socket, TLS or DNS means. Anything unknown is an answer we cannot use. */
export function failureOf(error: unknown, deadline: Deadline): FetchFailure {
  if (error instanceof FetchFailure) return error
  if (deadline.calledOff(error)) return new FetchFailure('aborted', 'the visit was called off')
  if (error instanceof TimeUp || error instanceof TooSlow)
    return new FetchFailure('timeout', error.message)
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  return new FetchFailure(faultOf(first), connectionWords(first))
}

/** Why a connection failed, in words: of TLS the reason alone, without where in its code OpenSSL gave up. */
export function connectionWords(error: unknown): string {
  const { library, reason, message } = (error ?? {}) as Partial<Record<string, unknown>>
  if (typeof library === 'string' && typeof reason === 'string') return `TLS failed: ${reason}`
  return typeof message === 'string' ? message : String(error)
}

function faultOf(error: unknown): FetchFault {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const known = faultOfCode[code]
  if (known !== undefined) return known
  return /^(?:ERR_TLS|ERR_SSL|CERT_)|CERT|SIGNATURE|SELF_SIGNED|ISSUER/.test(code)
    ? 'tls'
    : 'bad-answer'
}
