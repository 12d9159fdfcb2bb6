import type { FetchAnswer, FetchFault } from '../../model/fetcher.js'
import type { HostRecord, Lease } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Reader } from '../../model/reader.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import type { VisitRecord, VisitReport } from '../../model/visit-record.js'
import { dueWithin } from '../../policies/allowed-hours.js'
import { Findings } from '../../visit/findings.js'
import { forbiddenReport, visitReport } from '../../visit/report.js'
import { askedAddress } from '../../visit/request.js'
import { pastOf } from '../../visit/session.js'
import { ApiError } from '../errors.js'
import { foundPage } from '../pages/page-view.js'
import type { Static } from '../schema.js'
import type { ServiceParts, WebRules } from '../service-parts.js'
import { askedHost } from './lease-offers.js'
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
 * What an outside fetcher reports, as the answer that our own fetcher would
 * have given, so that all that follows from it is the same.
 */
function reportedAnswer(
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

interface Made {
  readonly report: VisitReport
  readonly page: PageRecord
  /** The record of the host that was asked, as it is after the visit; null where nothing was asked. */
  readonly asked: HostRecord | null
}

/** Clocks of other machines differ a little; what lies further ahead is a mistake. */
const clockSlack: Seconds = 60
/** Enough to record a visit. */
const recordingTime: Seconds = 60
/** Digests that were told are not those that we make, and are never compared with them. */
const reportedDigest = 'told:'

/**
 * Takes reports of outside fetchers: the same records, estimates and due times
 * follow from them as from visits of our own. A report that comes again is
 * answered as the first time and counted once.
 */
export class ReportService {
  readonly #parts: ServiceParts
  readonly #findings: Findings

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#findings = new Findings(parts)
  }

  async take(report: Report): Promise<Reported> {
    const { store, clock } = this.#parts
    const page = await foundPage(report.page, this.#parts)
    const at = timeOf(report, clock.now())
    const lease = { page, host: page.host, token: report.token, worker: '', expiresAt: 0 }
    const already = await this.#already(page, { at, report })
    if (already !== undefined) return already
    // Before the host is booked: whoever holds no lease must not make it rest.
    const [held] = await store.extendLeases([lease], { until: clock.now() + recordingTime })
    if (held !== true) throw leaseLost()
    const host = await store.getHost(page.host)
    const alone = await this.#made(report, { lease, at, host })
    const made = await this.#withHostHints(alone, host)
    // The record of the page's own host is stored with the visit; that of another, before it.
    if (made.asked !== null && made.asked.host !== page.host) await store.putHosts([made.asked])
    const [fate] = await store.recordVisits([made.report])
    if (fate === 'recorded') return this.#recorded(made)
    throw fate === 'not-forward' ? notForward() : leaseLost()
  }

  async #made(
    report: Report,
    { lease, at, host }: { lease: Lease; at: UnixSeconds; host: HostRecord | null },
  ): Promise<Made> {
    const { web, plannerFor, hoursFor, random, store, publisher } = this.#parts
    const { page } = lease
    if (report.failure === 'robots')
      return { report: forbiddenReport({ lease, host: undefined, at }), page, asked: null }
    const answer = reportedAnswer(report, { page, at, web })
    const planner = plannerFor(page)
    const name = askedHost(page)
    const own = name === page.host
    // A page that has moved tells of the host that it has moved to; its own was not asked.
    const ended = web.hosts.ended(name, own ? host : await store.getHost(name), answer)
    const reader = readerOf(report, web.reader)
    if (answer.kind === 'content')
      await Promise.all([
        reader.ahead?.(answer, page),
        isWhole(report) ? publisher?.ahead?.(answer, { page, host: ended }) : undefined,
      ])
    const hints = isWhole(report) ? this.#findings.hintsIn(answer) : undefined
    const { content, ...made } = visitReport({
      lease: comparable(lease, report),
      answer,
      host: own ? ended : undefined,
      planner,
      reader,
      random,
      duration: report.duration ?? 0,
      past: await pastOf(page, planner, store),
      ...(hints === undefined ? {} : { hints, hostHints: host?.hints ?? null }),
    })
    const due = dueWithin(made.due, hoursFor?.(page) ?? null)
    const kept = content === undefined || onlyDigest(report) ? {} : { content }
    const whole = { ...made, lease, due, ...kept }
    if (!isWhole(report)) return { report: whole, page, asked: ended }
    const taken = await this.#findings.take({ answer, page, host: ended, report: whole })
    return { report: taken, page, asked: ended }
  }

  /** What the visit tells of other pages of its site. */
  async #withHostHints(made: Made, host: HostRecord | null): Promise<Made> {
    const { neighbours } = this.#parts
    if (neighbours === undefined) return made
    const { page } = made
    const report = await neighbours.take(made.report, { page, hostBefore: async () => host })
    return { ...made, report }
  }

  #recorded({ report: made, page, asked }: Made): Reported {
    const { feed, web } = this.#parts
    const { outcome, at } = made.visit
    const delay = web.hosts.delay(asked?.host ?? askedHost(page), asked)
    const answered = { fate: 'recorded', outcome, at, due: made.due, delay } as const
    feed.nudge()
    return answered
  }

  /** A fetcher that did not get our answer sends its report again, perhaps to another process. */
  async #already(
    page: PageRecord,
    { at, report }: { at: UnixSeconds; report: Report },
  ): Promise<Reported | undefined> {
    const { store, web } = this.#parts
    const isLast = await store.isReported({ page, token: report.token })
    const visit = isLast ? page.lastVisit : await this.#visitAt(page, { at, report })
    if (visit == null) return undefined
    const host = askedHost(page)
    const delay = web.hosts.delay(host, await store.getHost(host))
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

/**
 * Whether all that the server said came with it. A text or a digest does not
 * tell which hints a page has dropped: then what is kept of them stays.
 */
function isWhole({ status, body }: Report): boolean {
  return body !== undefined || status === 304
}

function onlyDigest({ digest, body, text }: Report): boolean {
  return digest !== undefined && body === undefined && text === undefined
}

/** A page told by digests and one read by us have nothing to compare: the visit is a first one. */
function comparable(lease: Lease, report: Report): Lease {
  const { page } = lease
  const answered = page.fingerprint?.startsWith(reportedDigest) === true
  const seen = report.status !== undefined && report.status >= 200 && report.status < 300
  if (!seen || page.fingerprint === null || answered === onlyDigest(report)) return lease
  return { ...lease, page: { ...page, fingerprint: null } }
}

function readerOf(report: Report, reader: Reader): Reader {
  if (!onlyDigest(report)) return reader
  return {
    read: (answer, page) => ({
      ...reader.read(answer, page),
      fingerprint: `${reportedDigest}${report.digest}`,
    }),
    lastModified: (answer) => reader.lastModified(answer),
  }
}
