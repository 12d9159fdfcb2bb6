import { isReported } from '../hints/hints-after-visit.js'
import type { HostAccess, PoliteVisit, Visitor } from '../model/fetcher.js'
import { type History, historyOf } from '../model/history.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { PageRecord, Validators } from '../model/page.js'
import type { NoiseRecheck, PublisherReader, Reader } from '../model/reader.js'
import type { Store } from '../model/store.js'
import type { Clock, RandomSource, Seconds, UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import type { Neighbours } from '../planner/collection/siblings.js'
import { holdsState } from '../planner/learned-step.js'
import type { Planner } from '../planner/step.js'
import { type AllowedHours, dueWithin } from '../policies/allowed-hours.js'
import { afterRedirect } from './backoff.js'
import {
  type DeferParts,
  deferVisit,
  isOutside,
  isPageFault,
  keptDue,
  type MadeVisit,
  ofPage,
  postponed,
  unmadeReport,
} from './deferred.js'
import { Findings } from './findings.js'
import { afterNoiseRecheck } from './noise-recheck.js'
import { storeHostAccess } from './politeness/host-holds.js'
import { type FetchedVisit, forbiddenReport, unreadReport, visitReport } from './report.js'
import { requestFor } from './request.js'

/** Until when a visit is deferred, and what it keeps in memory meanwhile. */
export interface Rest {
  /** Never rejects. */
  readonly until: Promise<unknown>
  readonly bytes: number
}

/** Everything visits are made with; nothing in it is opened here. */
export interface CycleParts {
  readonly store: Store
  readonly visitor: Visitor
  readonly reader: Reader
  /** Tells noise from change by looking again; no page is visited again without it. */
  readonly noiseRecheck?: NoiseRecheck
  readonly clock: Clock
  readonly random: RandomSource
  /** The policy and learner of a page. */
  readonly plannerFor: (page: PageRecord) => Planner
  /** Hours in which a page may be visited; at any time by default. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** What to ask a page's server with, instead of what it told; only where something is kept. */
  readonly validatorsFor?: (page: PageRecord) => Validators
  /** Listens to publishers' hints and finds pages; nobody does by default. */
  readonly publisher?: PublisherReader
  /** Tells pages of each other's changes; nobody does by default. */
  readonly neighbours?: Neighbours
}

/** Visits that the state of another learner is rebuilt from. */
const rebuiltFrom = 1_000

/**
 * The recorded visits of a page whose row holds another learner's numbers, to
 * learn it anew; null where there is no need, so that nobody waits for nothing.
 */
export function pastOf(
  page: PageRecord,
  planner: Planner,
  store: Store,
): Promise<History | null> | null {
  if (page.lastSeen === null || holdsState(planner, page)) return null
  return store.visitsOf(page, { newest: rebuiltFrom }).then(historyOf)
}

interface VisitTerms {
  /** Share of conditional visits made unconditionally. */
  readonly unconditionalShare: number
  readonly leaseTime: Seconds
  /** Who holds the hosts. */
  readonly worker: string
  /** The record of a host that is on its way to the store, if one is. */
  readonly unsavedHost: (name: string) => HostRecord | undefined
  /** Lets others at the page's host for a while. */
  readonly rest: (lease: Lease, rest: Rest) => Promise<void>
}

/** A visit as it was begun. */
interface Attempt {
  readonly began: UnixSeconds
  readonly hours: AllowedHours | null
  readonly signal: AbortSignal | undefined
}

/** What a report needs beside the answer. */
interface More {
  readonly past: Promise<History | null> | null
  readonly signal: AbortSignal | undefined
}

/** Turns leased pages into reports: the host's leave, the visit, what follows from it. */
export class LeasedVisits {
  readonly #parts: CycleParts
  readonly #terms: VisitTerms
  readonly #findings: Findings
  readonly #around: DeferParts
  readonly #hostAccess: HostAccess

  constructor(parts: CycleParts, terms: VisitTerms) {
    this.#parts = parts
    this.#terms = terms
    this.#findings = new Findings(parts)
    this.#hostAccess = storeHostAccess(parts, { worker: terms.worker, ttl: terms.leaseTime })
    this.#around = { store: parts.store, hostBefore: (page) => this.#hostBefore(page) }
  }

  /** Nobody is waited for who has nothing to say: a turn of promises for each would take its time. */
  make(lease: Lease, signal: AbortSignal | undefined): Promise<MadeVisit> {
    const { clock, visitor, hoursFor, store } = this.#parts
    const { page } = lease
    try {
      const hours = hoursFor?.(page) ?? null
      const began = clock.now()
      // A page that fell due in its hours may be leased after them, by a loop that was not running.
      if (isOutside(hours, began)) {
        const due = dueWithin({ at: began, reason: page.due.reason }, hours)
        return deferVisit(lease, { due, store })
      }
      const about = { began, hours, signal }
      const request = requestFor(page, this.#parts, this.#terms.unconditionalShare)
      return visitor.visit(request, this.#hostAccess, lease.host).then(
        (visit) => this.#orUnmade(lease, () => this.#made(lease, visit, about)),
        (error: unknown) => this.#unmade(lease, error),
      )
    } catch (error) {
      return this.#unmade(lease, error)
    }
  }

  #orUnmade(
    lease: Lease,
    step: () => MadeVisit | Promise<MadeVisit>,
  ): MadeVisit | Promise<MadeVisit> {
    try {
      const made = step()
      if (!(made instanceof Promise)) return made
      return made.catch((error: unknown) => this.#unmade(lease, error))
    } catch (error) {
      return this.#unmade(lease, error)
    }
  }

  /** What was set for one page, or stands in it, must not end the loop for all. */
  async #unmade(lease: Lease, error: unknown): Promise<MadeVisit> {
    if (!isPageFault(error)) throw error
    return {
      report: unmadeReport(lease, { error, at: this.#parts.clock.now() }),
      hostRests: false,
    }
  }

  #made(lease: Lease, visit: PoliteVisit, about: Attempt): MadeVisit | Promise<MadeVisit> {
    const { page } = lease
    // Stored with the visit.
    const host = visit.hosts.find((each) => each.host === page.host)
    if (visit.kind === 'spent')
      return keptDue(lease, { opens: visit.until, store: this.#parts.store, host })
    if (visit.kind === 'wait')
      return postponed(lease, { host, until: visit.until, hours: about.hours }, this.#around)
    if (visit.kind === 'deferred') {
      const due = dueWithin(afterRedirect(this.#parts.clock.now(), visit), about.hours)
      return deferVisit(lease, { store: this.#parts.store, due, host })
    }
    const reported = this.#report(lease, { visit, host, about })
    const { neighbours } = this.#parts
    if (!(reported instanceof Promise) && neighbours === undefined) return within(reported, about)
    return this.#withNeighbours(reported, page).then((report) => within(report, about))
  }

  /** With what the visit tells of other pages of its site. */
  async #withNeighbours(
    reported: VisitReport | Promise<VisitReport>,
    page: PageRecord,
  ): Promise<VisitReport> {
    const report = await reported
    const hostBefore = () => this.#hostBefore(page)
    return (await this.#parts.neighbours?.take(report, { page, hostBefore })) ?? report
  }

  #report(
    lease: Lease,
    made: {
      readonly about: Attempt
      readonly visit: Exclude<PoliteVisit, { kind: 'wait' | 'deferred' | 'spent' }>
      readonly host: HostRecord | undefined
    },
  ): VisitReport | Promise<VisitReport> {
    const { clock, reader, random, plannerFor, publisher, store } = this.#parts
    const { visit, host, about } = made
    const { began, signal } = about
    const { page } = lease
    const now = clock.now()
    if (visit.kind === 'disallowed') return forbiddenReport({ lease, host, at: now })
    const { answer } = visit
    const planner = plannerFor(page)
    const past = pastOf(page, planner, store)
    const fetched = {
      lease,
      answer,
      host,
      planner,
      reader,
      random,
      duration: now - began,
      past: null,
    }
    const more = { past, signal }
    if (answer.kind !== 'content') return this.#read(fetched, more)
    const ahead = [reader.ahead?.(answer, page), publisher?.ahead?.(answer, { page, host })]
    if (ahead.every((each) => each === undefined)) return this.#read(fetched, more)
    // Others have their turn while it is read.
    const rest = { until: Promise.all(ahead), bytes: answer.body.length }
    return this.#terms.rest(lease, rest).then(() => this.#read(fetched, more))
  }

  /** What goes wrong from here on is a fault of the page alone, unless the store fails. */
  #read(fetched: FetchedVisit, more: More): VisitReport | Promise<VisitReport> {
    const { publisher, noiseRecheck } = this.#parts
    const { answer, lease } = fetched
    try {
      const hints = ofPage(() => this.#findings.hintsIn(answer))
      const hasHints = hints !== undefined && isReported(lease.page, hints)
      const mayDiffer =
        answer.kind === 'content' && (publisher !== undefined || noiseRecheck !== undefined)
      if (more.past === null && !hasHints && !mayDiffer) return ofPage(() => visitReport(fetched))
      const full = this.#fullReport(hasHints ? { ...fetched, hints } : fetched, more)
      return full.catch((error: unknown) => unread(fetched, error))
    } catch (error) {
      return unread(fetched, error)
    }
  }

  async #fullReport(fetched: FetchedVisit, more: More): Promise<VisitReport> {
    const { publisher, noiseRecheck, reader } = this.#parts
    const plain = more.past === null ? fetched : { ...fetched, past: await more.past }
    const hinted = fetched.hints === undefined ? plain : await this.#hinted(plain)
    const closest =
      noiseRecheck === undefined ? hinted : await this.#noiseRecheck(hinted, more.signal)
    const { answer, host, lease } = closest
    // By the masks that were learned just now.
    if (answer.kind === 'content') await reader.ahead?.(answer, lease.page)
    const report = ofPage(() => visitReport(closest))
    if (publisher === undefined) return report
    // Before the visit is recorded: killed in between, it is made again and finds the same.
    return this.#findings.take({ answer, page: fetched.lease.page, host, report })
  }

  async #hinted(fetched: FetchedVisit): Promise<FetchedVisit> {
    const before = await this.#hostBefore(fetched.lease.page)
    return { ...fetched, hostHints: before?.hints ?? null }
  }

  #noiseRecheck(fetched: FetchedVisit, signal: AbortSignal | undefined): Promise<FetchedVisit> {
    const { leaseTime, rest, worker } = this.#terms
    const parts = { ...this.#parts, leaseTime, rest, worker }
    return afterNoiseRecheck(fetched, signal === undefined ? parts : { ...parts, signal })
  }

  /** What is known of the host's hints; visits to it may be on their way to the store. */
  async #hostBefore({ host }: PageRecord): Promise<HostRecord | null> {
    return this.#terms.unsavedHost(host) ?? (await this.#parts.store.getHost(host))
  }
}

/** A page that cannot be read has failed, and says why; anything else is no fault of the page. */
function unread(fetched: FetchedVisit, error: unknown): VisitReport {
  if (!isPageFault(error)) throw error
  const { code: fault, message } = error
  return unreadReport(fetched, { fault, message })
}

function within(made: VisitReport, { hours }: Attempt): MadeVisit {
  const due = dueWithin(made.due, hours)
  const report = due === made.due ? made : { ...made, due }
  return { report, hostRests: report.host != null && report.host.blockedUntil !== null }
}
