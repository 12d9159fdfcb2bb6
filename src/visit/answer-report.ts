import { isReported } from '../hints/hints-after-visit.js'
import type { PoliteVisit } from '../model/fetcher.js'
import { type History, historyOf } from '../model/history.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { VisitReport } from '../model/visit-record.js'
import { holdsState } from '../planner/learned-step.js'
import type { Planner } from '../planner/step.js'
import { comparableLease } from './comparison.js'
import { isPageFault, ofPage } from './deferred.js'
import { Findings } from './findings.js'
import { type Again, afterNoiseRecheck } from './noise-recheck.js'
import { comparesPixels, lookOf } from './pixel-comparison.js'
import { Repeats } from './repeats.js'
import { type FetchedVisit, unreadReport, visitReport } from './report.js'
import type { ClientReport, Permit, SessionParts, SessionTerms } from './session-parts.js'

/** How a visit ended beside the answer. */
export interface Ending {
  readonly signal?: AbortSignal | undefined
  /** Where somebody else made the request. */
  readonly client?: ClientReport | undefined
  /** Where a client repeats its request; our own repeats need not be named. */
  readonly repeats?: { readonly again: Again; readonly host: HostRecord | undefined } | undefined
}

/** Visits that the state of another learner is rebuilt from. */
const rebuiltFrom = 1_000

/**
 * From an answer to the report of its visit: the past of another learner,
 * hints, the noise re-check, the comparison with what follows from it, and what
 * the answer tells of other pages.
 */
export class AnswerReports {
  readonly #parts: SessionParts
  readonly #terms: AnswerTerms
  readonly #findings: Findings

  constructor(parts: SessionParts, terms: AnswerTerms) {
    this.#parts = parts
    this.#terms = terms
    this.#findings = new Findings(parts)
  }

  /** Nobody is waited for who has nothing to say. */
  report(
    permit: Permit,
    visit: PoliteVisit & { readonly kind: 'answered' },
    host: HostRecord | undefined,
    ended: Ending,
  ): VisitReport | Promise<VisitReport> {
    const { clock, reader, random, plannerFor, publisher, store } = this.#parts
    const { client } = ended
    const { answer } = visit
    const { page } = permit.lease
    const planner = plannerFor(page)
    const digest = client?.digest
    const fetched: FetchedVisit = {
      lease:
        client === undefined ? permit.lease : comparableLease(permit.lease, { answer, digest }),
      answer,
      host,
      planner,
      reader,
      comparedBy: digest === undefined ? undefined : { digest },
      random,
      duration: client?.duration ?? clock.now() - permit.began,
      past: null,
    }
    const about = {
      permit,
      past: pastOf(page, planner, store),
      asked: visit.asked ?? host,
      isWhole: client?.isWhole ?? true,
      client,
      repeats: ended.repeats,
      signal: ended.signal,
    }
    if (answer.kind !== 'content') return this.#read(fetched, about)
    if (client === undefined && comparesPixels(page)) return this.#byPixels(fetched, about)
    // Of a page of which a client sent its own digest there is nothing to read.
    const reading = digest === undefined ? reader.ahead?.(answer, page) : undefined
    const published = about.isWhole
      ? publisher?.ahead?.(answer, { page, host: about.asked })
      : undefined
    if (reading === undefined && published === undefined) return this.#read(fetched, about)
    const read = () => this.#read(fetched, about)
    const until = Promise.all([reading, published])
    if (client !== undefined) return until.then(read)
    // Others have their turn while it is read.
    return this.#terms.rest(permit.lease, { until, bytes: answer.body.length }).then(read)
  }

  /** A page that is compared by how it looks: its text is read as ever, for what is shown of it. */
  async #byPixels(fetched: FetchedVisit, about: About): Promise<VisitReport> {
    const { store, reader } = this.#parts
    const { answer, lease } = fetched
    if (answer.kind !== 'content') return this.#read(fetched, about)
    await reader.ahead?.(answer, lease.page)
    const look = await lookOf(answer, lease.page, store)
    return this.#read(look === undefined ? fetched : { ...fetched, comparedBy: { look } }, about)
  }

  /** What goes wrong from here on is a fault of the page alone, unless the store fails. */
  #read(fetched: FetchedVisit, about: About): VisitReport | Promise<VisitReport> {
    const { publisher, noiseRecheck } = this.#parts
    const { answer, lease } = fetched
    try {
      const hints = about.isWhole ? ofPage(() => this.#findings.hintsIn(answer)) : undefined
      const hasHints = hints !== undefined && isReported(lease.page, hints)
      const mayDiffer =
        answer.kind === 'content' &&
        (publisher !== undefined || noiseRecheck?.isWanted(answer, lease.page) === true)
      const { client, permit } = about
      // Of a client's digest nothing more can be found out: batches of hundreds come through here.
      const isDigest = client !== undefined && !about.isWhole && about.repeats === undefined
      if (about.past === null && !hasHints && isDigest)
        return asReported(
          ofPage(() => visitReport(fetched)),
          { client, lease: permit.lease },
        )
      const isPlain = about.past === null && !hasHints && !mayDiffer && client === undefined
      if (isPlain) return ofPage(() => visitReport(fetched))
      const full = this.#fullReport(hasHints ? { ...fetched, hints } : fetched, about)
      return full.catch((error: unknown) => unread(fetched, error))
    } catch (error) {
      return unread(fetched, error)
    }
  }

  async #fullReport(fetched: FetchedVisit, about: About): Promise<VisitReport> {
    const { publisher, reader } = this.#parts
    const { client, permit, isWhole } = about
    const plain = about.past === null ? fetched : { ...fetched, past: await about.past }
    const hinted = fetched.hints === undefined ? plain : await this.#hinted(plain)
    const closest = this.#isDoubtful(hinted, about) ? await this.#closest(hinted, about) : hinted
    const { answer, lease } = closest
    // By the masks that were learned just now.
    if (closest !== hinted && answer.kind === 'content') await reader.ahead?.(answer, lease.page)
    const report = ofPage(() => visitReport(closest))
    const kept = client === undefined ? report : asReported(report, { client, lease: permit.lease })
    if (publisher === undefined || !isWhole) return kept
    // Before the visit is recorded: killed in between, it is made again and finds the same.
    const { page } = permit.lease
    return this.#findings.take({ answer, page, host: about.asked, report: kept })
  }

  async #hinted(fetched: FetchedVisit): Promise<FetchedVisit> {
    const before = await this.#terms.hostBefore(fetched.lease.page)
    return { ...fetched, hostHints: before?.hints ?? null }
  }

  /** Whether a noise re-check is wanted, and somebody requests the page again. */
  #isDoubtful({ answer, lease }: FetchedVisit, { client, repeats, isWhole }: About): boolean {
    const { noiseRecheck } = this.#parts
    if (answer.kind !== 'content' || noiseRecheck?.isWanted(answer, lease.page) !== true)
      return false
    // Masks are of words.
    if (comparesPixels(lease.page)) return false
    return client === undefined || (repeats !== undefined && isWhole)
  }

  /** After a noise re-check. */
  async #closest(fetched: FetchedVisit, about: About): Promise<FetchedVisit> {
    const { store, visitor } = this.#parts
    const noiseRecheck = this.#parts.noiseRecheck!
    const { lease } = fetched
    const asked: { repeats?: NonNullable<Ending['repeats']> } = {}
    // Made where it is wanted: most contents are what they were.
    const again = () => {
      asked.repeats ??= about.repeats ?? this.#repeats(fetched, about)
      return asked.repeats.again()
    }
    const found = await afterNoiseRecheck(fetched, { noiseRecheck, store, again })
    const { repeats } = asked
    if (repeats === undefined) return found
    // Others were at the host meanwhile: what it was like after the first answer is no longer so.
    return { ...found, host: visitor.hostNow?.(lease.page.host) ?? repeats.host ?? fetched.host }
  }

  #repeats({ lease, answer }: FetchedVisit, { permit, signal }: About): Repeats {
    return new Repeats(lease, {
      ...this.#parts,
      ...this.#terms,
      wait: this.#parts.noiseRecheck!.wait,
      request: permit.request,
      bytes: answer.kind === 'content' ? answer.body.length : 0,
      signal,
    })
  }
}

type AnswerTerms = Pick<SessionTerms, 'leaseTime' | 'worker' | 'rest'> & {
  /** What is known of a page's host; visits to it may be on their way to the store. */
  readonly hostBefore: (page: PageRecord) => Promise<HostRecord | null>
}

/** How an answer came about. */
interface About {
  readonly permit: Permit
  readonly past: Promise<History | null> | null
  /** The record of the host that was asked, after the visit. */
  readonly asked: HostRecord | undefined
  readonly isWhole: boolean
  readonly client: ClientReport | undefined
  readonly repeats: Ending['repeats']
  readonly signal: AbortSignal | undefined
}

/**
 * The recorded visits of a page whose row holds another learner's numbers, to
 * learn it anew; null where there is no need, so that nobody waits for nothing.
 */
function pastOf(page: PageRecord, planner: Planner, store: Store): Promise<History | null> | null {
  if (page.lastSeen === null || holdsState(planner, page)) return null
  return store.visitsOf(page, { newest: rebuiltFrom }).then(historyOf)
}

/** Of a page reported by a digest no copy is kept; and the lease is the one that was given. */
function asReported(
  { content, ...report }: VisitReport,
  { client, lease }: { readonly client: ClientReport; readonly lease: Lease },
): VisitReport {
  const kept = content === undefined || client.digest !== undefined ? {} : { content }
  return { ...report, lease, ...kept }
}

/** A page that cannot be read has failed, and says why; anything else is no fault of the page. */
function unread(fetched: FetchedVisit, error: unknown): VisitReport {
  if (!isPageFault(error)) throw error
  const { code: fault, message } = error
  return unreadReport(fetched, { fault, message })
}
