import { answerKind, retryAfter } from '../../fetch/answer.js'
import type { FetchAnswer, FetchFault, FetchRequest } from '../../model/fetcher.js'
import { hostOf, type PageRecord } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import type { VisitRecord } from '../../model/visit-record.js'
import { askedAddress } from '../../visit/request.js'
import type { ClientReport, Permit } from '../../visit/session.js'
import { ApiError } from '../errors.js'
import { foundPage } from '../pages/page-view.js'
import type { Static } from '../schema.js'
import type { ServiceParts } from '../service-parts.js'
import type { ReportBody } from './leases.js'

function leaseLost(): ApiError {
  return new ApiError(
    409,
    'lease-lost',
    'this lease has run out and the page was given to another, or it was given back; drop the report',
  )
}

function notForward(): ApiError {
  return new ApiError(
    409,
    'not-forward',
    'the page has a visit at this time or later; report a later time, or release the lease',
  )
}

type Report = Static<typeof ReportBody>

/**
 * What a client reports, as the answer that our own fetcher would have given,
 * so that all that follows from it is the same.
 */
function reportedAnswer(
  report: Report,
  { request, at }: { readonly request: FetchRequest; readonly at: UnixSeconds },
  { addresses, longestRetryAfter: most }: ServiceParts,
): FetchAnswer {
  const { status, failure } = report
  if ((status === undefined) === (failure === undefined)) throw eitherOr()
  const body = bodyOf(report)
  const bytesReceived = report.bytes ?? body?.length ?? 0
  if (status === undefined) return failed(failure as FetchFault, { at, bytesReceived })
  const headers = headersOf(report)
  const movedTo = report.movedTo === undefined ? {} : { movedTo: addresses.address(report.movedTo) }
  const answered = { status, at, url: request.url, headers, bytesReceived, ...movedTo }
  // Who was asked for the content in any case cannot say that it has not changed: such a 304 lies.
  const kind = answerKind(status, { conditional: request.unconditional !== true })
  if (kind === null) return failed('bad-answer', { at, bytesReceived })
  if (kind === 'later') {
    const wait = retryAfter(headers['retry-after'], { now: at, most })
    return { ...answered, kind, retryAfter: wait }
  }
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
  const lowerCased = Object.fromEntries(lower)
  if (body !== undefined || text === undefined) return lowerCased
  return { ...lowerCased, 'content-type': 'text/plain; charset=utf-8' }
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

interface Reported {
  readonly fate: 'recorded' | 'already'
  readonly outcome: string
  readonly at: UnixSeconds
  readonly due: Due
  /** The host's rest from now on. */
  readonly delay: Seconds
}

/** Clocks of other machines differ a little; what lies further ahead is a mistake. */
const clockSlack: Seconds = 60
/** Enough to record a visit. */
const recordingTime: Seconds = 60

/**
 * Takes reports of clients: the session makes of them what it makes of our own
 * visits. A report that comes again is answered as the first time and counted
 * once.
 */
export class ReportService {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  async take(report: Report): Promise<Reported> {
    const { store, clock, session, feed } = this.#parts
    const page = await foundPage(report.page, this.#parts)
    const at = timeOf(report, clock.now())
    const lease = { page, host: page.host, token: report.token, worker: '', expiresAt: 0 }
    const already = await this.#already(page, { at, report })
    if (already !== undefined) return already
    // Before the host is booked: whoever holds no lease must not make it rest.
    const [held] = await store.extendLeases([lease], { until: clock.now() + recordingTime })
    if (held !== true) throw leaseLost()
    const permit = session.resume(lease)
    const made = await session.finishForClient(permit, this.#brought(report, { permit, at }))
    // A visit that was made is never put off.
    const { visit, due } = made.report!
    const [fate] = await store.recordVisits([made.report!])
    if (fate !== 'recorded') throw fate === 'not-forward' ? notForward() : leaseLost()
    feed.nudge()
    const delay = await this.#delay(permit.request.url)
    return { fate, outcome: visit.outcome, at: visit.at, due, delay }
  }

  #brought(
    report: Report,
    { permit, at }: { readonly permit: Permit; readonly at: UnixSeconds },
  ): ClientReport {
    const { duration = 0, digest, body, text, status, failure } = report
    const isDigest = digest !== undefined && body === undefined && text === undefined
    return {
      answer:
        failure === 'robots'
          ? 'forbidden'
          : reportedAnswer(report, { request: permit.request, at }, this.#parts),
      at,
      duration,
      isWhole: body !== undefined || status === 304,
      ...(isDigest ? { digest } : {}),
    }
  }

  /** The rest that the host of an address asks for. */
  async #delay(url: string): Promise<Seconds> {
    const { store, gate } = this.#parts
    const host = hostOf(url)
    return gate.delay(host, await store.getHost(host))
  }

  /** A client that did not get our answer sends its report again, perhaps to another process. */
  async #already(
    page: PageRecord,
    { at, report }: { at: UnixSeconds; report: Report },
  ): Promise<Reported | undefined> {
    const isLast = await this.#parts.store.isReported({ page, token: report.token })
    const visit = isLast ? page.lastVisit : await this.#visitAt(page, { at, report })
    if (visit == null) return undefined
    const delay = await this.#delay(askedAddress(page).url)
    return { fate: 'already', outcome: visit.outcome, at: visit.at, due: page.due, delay }
  }

  /** Where the page was visited again since then, a visit at the very time of the report tells. */
  async #visitAt(
    page: PageRecord,
    { at, report }: { at: UnixSeconds; report: Report },
  ): Promise<VisitRecord | undefined> {
    if (report.at === undefined) return undefined
    const range = { from: at, newest: 1, until: at + 1e-6 }
    const [visit] = await this.#parts.store.visitsOf(page, range)
    return visit?.at === at ? visit : undefined
  }
}

function timeOf({ at }: Report, now: UnixSeconds): UnixSeconds {
  if (at === undefined) return now
  if (at > now + clockSlack)
    throw new ApiError(400, 'time-in-future', 'this visit lies in the future; see to your clock')
  return Math.min(at, now)
}
