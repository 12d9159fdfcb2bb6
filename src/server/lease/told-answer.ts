import { askedAddress } from '../../engine/index.js'
import type { FetchAnswer, FetchFault, PageRecord, UnixSeconds } from '../../model/index.js'
import { ApiError } from '../api-error.js'
import type { ReportBody } from '../schema/leases.js'
import type { Static } from '../schema/words.js'
import type { WebRules } from '../web-rules.js'

export type Report = Static<typeof ReportBody>

/**
 * What an outside fetcher reports, as the answer that our own fetcher would
 * have given, so that all that follows from it is the same.
 */
export function toldAnswer(
  report: Report,
  { page, at, web }: { page: PageRecord; at: UnixSeconds; web: WebRules },
): FetchAnswer {
  const { status, failure } = report
  if ((status === undefined) === (failure === undefined)) throw eitherOr()
  const body = bodyOf(report)
  const bytesReceived = report.bytes ?? body?.length ?? 0
  if (status === undefined) return failed(failure as FetchFault, { at, bytesReceived })
  const headers = headersOf(report)
  const { url } = askedAddress(page)
  const movedTo = report.movedTo === undefined ? {} : { movedTo: web.address(report.movedTo) }
  const answered = { status, at, url, headers, bytesReceived, ...movedTo }
  const kind = web.answerKind(status, { conditional: true })
  if (kind === null) return failed('bad-answer', { at, bytesReceived })
  if (kind === 'later')
    return { ...answered, kind, retryAfter: web.retryAfter(headers['retry-after'], at) }
  if (kind !== 'content') return { ...answered, kind }
  if (body === undefined && report.digest === undefined) throw noContent()
  return { ...answered, kind, body: body ?? new Uint8Array() }
}

function failed(
  fault: FetchFault,
  { at, bytesReceived }: { at: UnixSeconds; bytesReceived: number },
): FetchAnswer {
  return { kind: 'failed', fault, message: 'reported by an outside fetcher', at, bytesReceived }
}

/** Names in lower case, as our own fetcher has them. A text is read as the text it is. */
function headersOf({ headers = {}, text, body }: Report): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const told = Object.fromEntries(lower)
  if (body !== undefined || text === undefined) return told
  return { ...told, 'content-type': 'text/plain; charset=utf-8' }
}

function bodyOf({ body, text }: Report): Uint8Array | undefined {
  if (body !== undefined) return Buffer.from(body, 'base64')
  return text === undefined ? undefined : Buffer.from(text)
}

function eitherOr(): ApiError {
  return new ApiError(
    400,
    'bad-report',
    'a report tells either the status of an answer or a failure, and not both',
  )
}

function noContent(): ApiError {
  return new ApiError(
    400,
    'bad-report',
    'a report of a page that was seen brings its body, its text or its digest',
  )
}
