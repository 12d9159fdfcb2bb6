import { answerKind, retryAfter } from '../../fetch/answer.js'
import type { FetchAnswer, FetchFault, FetchRequest, Offered } from '../../model/fetcher.js'
import { hostOf, type PageRecord } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { VisitRecord } from '../../model/visit-record.js'
import { askedAddress } from '../../visit/request.js'
import type { ClientReport, Permit } from '../../visit/session-parts.js'
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

/** The page is to be requested once more. */
interface RepeatRequest {
  readonly fate: 'again'
  readonly notBefore: UnixSeconds
  readonly delay: Seconds
}

/**
 * A report whose noise re-check waits for the client to repeat its request. What was
 * reported is recorded where the client does not come back in time; should this
 * process end before that, the repeat is taken for a first report.
 */
class Rechecked {
  readonly #clock: Clock
  /** Of the report that was answered last; one that comes twice is answered the same. */
  #at: UnixSeconds
  #answer: RepeatRequest | undefined
  #asked: (again: RepeatRequest) => void = () => {}
  #bring: (answer: FetchAnswer | null) => void = () => {}

  constructor(clock: Clock, at: UnixSeconds) {
    this.#clock = clock
    this.#at = at
  }

  /** For the session: hands the repeat to the client, and waits for its report. */
  readonly repeat = async (
    { notBefore, delay }: Offered,
    until: UnixSeconds,
  ): Promise<FetchAnswer | null> => {
    const brought = new Promise<FetchAnswer | null>((resolve) => {
      this.#bring = resolve
    })
    this.#answer = { fate: 'again', notBefore, delay }
    this.#asked(this.#answer)
    const over = new AbortController()
    const late = this.#clock.sleep(until - this.#clock.now(), over.signal).then(() => null)
    const answer = await Promise.race([brought, late])
    over.abort()
    return answer
  }

  /** A report of the same lease: the repeat, or the one before sent again. */
  bring(answer: FetchAnswer, at: UnixSeconds): RepeatRequest | undefined {
    if (at === this.#at) return this.#answer
    this.#at = at
    this.#answer = undefined
    this.#bring(answer)
    return undefined
  }

  /** What to answer: that the page is to be requested again, or that all is recorded. */
  async next(recorded: Promise<Reported>): Promise<Reported | RepeatRequest> {
    const asked = new Promise<RepeatRequest>((resolve) => {
      this.#asked = resolve
      if (this.#answer !== undefined) resolve(this.#answer)
    })
    return Promise.race([recorded, asked])
  }
}

interface Pending {
  readonly recheck: Rechecked
  readonly recorded: Promise<Reported>
}

/** Clocks of other machines differ a little; what lies further ahead is a mistake. */
const clockSlack: Seconds = 60
/** Enough to record a visit, after its repeats. */
const recordingTime: Seconds = 120
/** Reports that wait for repeats at once: each keeps a few contents in memory. */
const mostRechecked = 32

/**
 * Takes reports of clients: the session makes of them what it makes of our own
 * visits. A report that comes again is answered as the first time and counted
 * once.
 */
export class ReportService {
  readonly #parts: ServiceParts
  /** By page and token. */
  readonly #rechecked = new Map<string, Pending>()

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  async take(report: Report): Promise<Reported | RepeatRequest> {
    const { store, clock, session } = this.#parts
    const page = await foundPage(report.page, this.#parts)
    const at = timeOf(report, clock.now())
    const lease = { page, host: page.host, token: report.token, worker: '', expiresAt: 0 }
    const already = await this.#already(page, { at, report })
    if (already !== undefined) return already
    // Before the host is booked: whoever holds no lease must not make it rest.
    const [held] = await store.extendLeases([lease], { until: clock.now() + recordingTime })
    if (held !== true) throw leaseLost()
    const permit = session.resume(lease)
    const key = `${page.id} ${report.token}`
    const before = this.#rechecked.get(key)
    if (before !== undefined) return this.#repeated(report, { permit, at, before })
    const brought = this.#brought(report, { permit, at })
    if (permit.client?.repeats !== true || this.#rechecked.size >= mostRechecked)
      return this.#recorded(permit, brought)
    const recheck = new Rechecked(clock, at)
    const recorded = this.#recorded(permit, { ...brought, repeat: recheck.repeat }).finally(() =>
      this.#rechecked.delete(key),
    )
    // Where the client is gone, nobody learns of a failure.
    recorded.catch(() => {})
    this.#rechecked.set(key, { recheck, recorded })
    return recheck.next(recorded)
  }

  /** The page as the repeated request found it. */
  async #repeated(
    report: Report,
    { permit, at, before }: { permit: Permit; at: UnixSeconds; before: Pending },
  ): Promise<Reported | RepeatRequest> {
    const { recheck, recorded } = before
    const request = { ...permit.request, unconditional: true }
    const answer = reportedAnswer(report, { request, at }, this.#parts)
    return recheck.bring(answer, at) ?? recheck.next(recorded)
  }

  async #recorded(permit: Permit, brought: ClientReport): Promise<Reported> {
    const { store, session, feed } = this.#parts
    const made = await session.finishForClient(permit, brought)
    // A visit that was made is never put off.
    const { visit, due } = made.report!
    const [fate] = await store.recordVisits([made.report!])
    if (fate !== 'recorded') throw fate === 'not-forward' ? notForward() : leaseLost()
    feed.nudge()
    const delay = await this.#delay(permit.request.url)
    return { fate, outcome: visit.outcome, at: visit.at, due: { ...due }, delay }
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
    return { fate: 'already', outcome: visit.outcome, at: visit.at, due: { ...page.due }, delay }
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
