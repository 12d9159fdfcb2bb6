import type { FetchFault } from '../../model/index.js'
import { type Deadline, TimeUp, TooSlow } from './deadline.js'

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
  return new FetchFailure(faultOf(first), first instanceof Error ? first.message : String(first))
}

function faultOf(error: unknown): FetchFault {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const known = faultOfCode[code]
  if (known !== undefined) return known
  return /^(?:ERR_TLS|ERR_SSL|CERT_)|CERT|SIGNATURE|SELF_SIGNED|ISSUER/.test(code)
    ? 'tls'
    : 'bad-answer'
}
