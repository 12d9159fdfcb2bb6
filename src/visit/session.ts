import { isReported } from '../hints/hints-after-visit.js'
import { OptionError } from '../model/errors.js'
import type {
  Admitted,
  FetchAnswer,
  FetchRequest,
  HostAccess,
  Offered,
  PoliteVisit,
  Visitor,
} from '../model/fetcher.js'
import { type History, historyOf } from '../model/history.js'
import type { HostRecord, Lease } from '../model/lease.js'
import { LruMap } from '../model/lru-map.js'
import { hostOf, type PageRecord, type Validators } from '../model/page.js'
import type { NoiseRecheck, PublisherReader, Reader } from '../model/reader.js'
import type { Store } from '../model/store.js'
import type { Clock, RandomSource, Seconds, UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import type { Neighbours } from '../planner/collection/siblings.js'
import { holdsState } from '../planner/learned-step.js'
import type { Planner } from '../planner/step.js'
import { type AllowedHours, dueWithin } from '../policies/allowed-hours.js'
import { afterRedirect } from './backoff.js'
import { comparableLease, digestReader } from './comparison.js'
import {
  type DeferParts,
  deferVisit,
  isOutside,
  isPageFault,
  keptDue,
  type MadeVisit,
  ofPage,
  postponed,
  type Rest,
  unmadeReport,
} from './deferred.js'
import { Findings } from './findings.js'
import { type Again, afterNoiseRecheck, Repeats, repeatsEnd } from './noise-recheck.js'
import { storeHostAccess } from './politeness/host-holds.js'
import { type FetchedVisit, forbiddenReport, unreadReport, visitReport } from './report.js'
import { askedAddress, requestFor } from './request.js'

/** Everything visits are made with; nothing in it is opened here. */
export interface SessionParts {
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

export interface SessionTerms {
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

/** Leave to ask for one page, and how: what `finish` goes on from. */
export interface Permit {
  readonly lease: Lease
  readonly request: FetchRequest
  readonly began: UnixSeconds
  readonly hours: AllowedHours | null
  /** Who makes the request, where it is not us. */
  readonly client?: Client
}

/** Who was given a page to fetch. */
interface Client {
  readonly worker: string
  /** Whether it looks again where that tells noise from change. */
  readonly repeats: boolean
  /** How long it has the page. */
  readonly ttl: Seconds
}

/** For our own fetcher. */
interface OwnPermit extends Permit {
  readonly admitted: Admitted
}

/** For a program that fetches the page itself and reports what it found. */
export interface ClientPermit extends Permit {
  readonly offered: Offered
  readonly client: Client
}

/** What a client reports of the page it was given. */
export interface ClientReport {
  /** As our own fetcher would have given it; `forbidden` where the client found that robots.txt says no. */
  readonly answer: FetchAnswer | 'forbidden'
  readonly at: UnixSeconds
  readonly duration: Seconds
  /** Instead of a content: the client's own digest of it. */
  readonly digest?: string
  /** Whether all that the server said came with it. A text or a digest does not tell which hints a page has dropped: then what is kept of them stays. */
  readonly isWhole: boolean
  /**
   * Has the client look at the page once more, unconditionally, by a time at the
   * latest; null where it did not. Without it nothing is learned of noise: what
   * is known of it is masked in any case.
   */
  readonly look?: (offered: Offered, until: UnixSeconds) => Promise<FetchAnswer | null>
}

/** What a visit ends with beside the answer. */
interface More {
  readonly signal?: AbortSignal | undefined
  readonly client?: ClientReport | undefined
}

/** Visits that the state of another learner is rebuilt from. */
const rebuiltFrom = 1_000
/** Enough to book a host for a client, or to record its end. */
const bookingTime: Seconds = 60
/** Pages that clients have in hand, of which it is remembered how they were to be asked. */
const mostOffered = 20_000

/**
 * The polite visit, for whoever makes the request: the loop and `revisit visit`
 * by `visit`, clients of the lease API by `beginForClient` and
 * `finishForClient`. Both ways are the same steps in the same order. To begin:
 * the page's hours, robots.txt, the day's budget, the host's delay, the booking.
 * To finish: the end of the request for its host, the past, hints, the noise
 * re-check, the comparison with what follows from it, findings, siblings, and
 * the hours again. What comes out is the report to record, or a page put off.
 */
export class VisitSession {
  readonly #parts: SessionParts
  readonly #terms: SessionTerms
  readonly #findings: Findings
  readonly #deferParts: DeferParts
  readonly #hostAccess: HostAccess
  readonly #offered = new LruMap<ClientPermit>({ most: mostOffered })

  constructor(parts: SessionParts, terms: SessionTerms) {
    this.#parts = parts
    this.#terms = terms
    this.#findings = new Findings(parts)
    this.#hostAccess = storeHostAccess(parts, { worker: terms.worker, ttl: terms.leaseTime })
    this.#deferParts = { store: parts.store, hostBefore: (page) => this.#hostBefore(page) }
  }

  /** Begin, our own fetch, finish. Nobody is waited for who has nothing to say: a turn of promises for each would take its time. */
  visit(lease: Lease, signal?: AbortSignal): Promise<MadeVisit> {
    const failed = (error: unknown) => this.#unmade(lease, error)
    try {
      const begun = this.begin(lease)
      if (!(begun instanceof Promise)) return this.#fetched(begun, signal)
      return begun.then((later) => this.#fetched(later, signal), failed)
    } catch (error) {
      return failed(error)
    }
  }

  /** Whether the page may be asked for now: a permit, or what became of the page without. */
  begin(lease: Lease): OwnPermit | MadeVisit | Promise<OwnPermit | MadeVisit> {
    const asked = this.#asked(lease)
    if (asked instanceof Promise) return asked
    const begun = this.#parts.visitor.begin(asked.request, this.#hostAccess, lease.host)
    if (begun instanceof Promise) return begun.then((later) => this.#begun(asked, later))
    return this.#begun(asked, begun)
  }

  /** The same for a client that asks up to `ahead` seconds from now. */
  async beginForClient(
    lease: Lease,
    { ahead, ...client }: Client & { readonly ahead: Seconds },
  ): Promise<ClientPermit | MadeVisit> {
    try {
      const { visitor } = this.#parts
      if (visitor.offer === undefined) throw noClients()
      const asked = await this.#asked(lease)
      if (!('request' in asked)) return asked
      const access = this.#accessOf(client)
      const offered = await visitor.offer(asked.request, access, { home: lease.host, ahead })
      if (offered.kind !== 'offered') return await this.finish(asked, offered)
      const permit = { ...asked, offered, client }
      this.#offered.set(keyOf(lease), permit)
      return permit
    } catch (error) {
      return this.#unmade(lease, error)
    }
  }

  /** A client's permit, by its lease; where another process gave it, as much as the page tells. */
  resume(lease: Lease): Permit {
    const { clock, hoursFor } = this.#parts
    const { page } = lease
    const known = this.#offered.get(keyOf(lease))
    const request = known?.request ?? { ...askedAddress(page), validators: page.validators }
    const began = known?.began ?? clock.now()
    const hours = hoursFor?.(page) ?? null
    return {
      lease,
      request,
      began,
      hours,
      ...(known === undefined ? {} : { client: known.client }),
    }
  }

  /** What follows from a client's report. */
  async finishForClient(permit: Permit, client: ClientReport): Promise<MadeVisit> {
    const { answer } = client
    if (answer === 'forbidden')
      return this.finish(permit, { kind: 'disallowed', until: client.at, hosts: [] }, { client })
    return this.finish(permit, await this.#ended(permit, answer), { client })
  }

  /** A client's request has ended for the host that it asked. */
  async #ended({ lease, request, client }: Permit, answer: FetchAnswer): Promise<PoliteVisit> {
    const { visitor, store } = this.#parts
    if (visitor.reported === undefined) throw noClients()
    const host = hostOf(request.url)
    const record = this.#terms.unsavedHost(host) ?? (await store.getHost(host))
    const access = this.#accessOf(client ?? this.#terms)
    return visitor.reported(answer, access, { host, home: lease.host, record })
  }

  #accessOf({ worker }: { readonly worker: string }): HostAccess {
    return storeHostAccess(this.#parts, { worker, ttl: bookingTime })
  }

  /** What follows from how a visit ended: the report to record, or the page put off. */
  finish(permit: Permit, visit: PoliteVisit, more: More = {}): MadeVisit | Promise<MadeVisit> {
    try {
      const made = this.#finished(permit, visit, more)
      if (!(made instanceof Promise)) return made
      return made.catch((error: unknown) => this.#unmade(permit.lease, error))
    } catch (error) {
      return this.#unmade(permit.lease, error)
    }
  }

  /** What is asked, where the page's hours allow it. */
  #asked(lease: Lease): Permit | Promise<MadeVisit> {
    const { clock, hoursFor, store } = this.#parts
    const { page } = lease
    const hours = hoursFor?.(page) ?? null
    const began = clock.now()
    // A page that fell due in its hours may be leased after them, by a loop that was not running.
    if (isOutside(hours, began)) {
      const due = dueWithin({ at: began, reason: page.due.reason }, hours)
      return deferVisit(lease, { due, store })
    }
    const request = requestFor(page, this.#parts, this.#terms.unconditionalShare)
    return { lease, request, began, hours }
  }

  #begun(
    { lease, request, began, hours }: Permit,
    begun: Admitted | PoliteVisit,
  ): OwnPermit | MadeVisit | Promise<MadeVisit> {
    if (begun.kind === 'admitted') return { lease, request, began, hours, admitted: begun }
    return this.finish({ lease, request, began, hours }, begun)
  }

  #fetched(begun: OwnPermit | MadeVisit, signal: AbortSignal | undefined): Promise<MadeVisit> {
    if (!('admitted' in begun)) return Promise.resolve(begun)
    return begun.admitted.fetch().then(
      (visit) => this.finish(begun, visit, { signal }),
      (error: unknown) => this.#unmade(begun.lease, error),
    )
  }

  /** What was set for one page, or stands in it, must not end the loop for all. */
  async #unmade(lease: Lease, error: unknown): Promise<MadeVisit> {
    if (!isPageFault(error)) throw error
    return {
      report: unmadeReport(lease, { error, at: this.#parts.clock.now() }),
      hostRests: false,
    }
  }

  #finished(permit: Permit, visit: PoliteVisit, more: More): MadeVisit | Promise<MadeVisit> {
    const { clock, store, neighbours } = this.#parts
    const { lease, hours } = permit
    const { page } = lease
    // Stored with the visit.
    const host = visit.hosts.find((each) => each.host === page.host)
    if (visit.kind === 'spent') return keptDue(lease, { opens: visit.until, store, host })
    if (visit.kind === 'wait')
      return postponed(lease, { host, until: visit.until, hours }, this.#deferParts)
    if (visit.kind === 'deferred') {
      const due = dueWithin(afterRedirect(clock.now(), visit), hours)
      return deferVisit(lease, { store, due, host })
    }
    const reported =
      visit.kind === 'disallowed'
        ? forbiddenReport({ lease, host, at: more.client?.at ?? clock.now() })
        : this.#report(permit, { ...more, host, visit })
    if (!(reported instanceof Promise) && neighbours === undefined) return within(reported, hours)
    return this.#withNeighbours(reported, page).then((report) => within(report, hours))
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
    permit: Permit,
    ended: More & {
      readonly visit: PoliteVisit & { readonly kind: 'answered' }
      readonly host: HostRecord | undefined
    },
  ): VisitReport | Promise<VisitReport> {
    const { clock, reader, random, plannerFor, publisher, store } = this.#parts
    const { visit, host, client } = ended
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
      reader: digest === undefined ? reader : digestReader(reader, digest),
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
      signal: ended.signal,
    }
    if (answer.kind !== 'content') return this.#read(fetched, about)
    const ahead = [
      fetched.reader.ahead?.(answer, page),
      about.isWhole ? publisher?.ahead?.(answer, { page, host: about.asked }) : undefined,
    ]
    if (ahead.every((each) => each === undefined)) return this.#read(fetched, about)
    const read = () => this.#read(fetched, about)
    const until = Promise.all(ahead)
    if (client !== undefined) return until.then(read)
    // Others have their turn while it is read.
    return this.#terms.rest(permit.lease, { until, bytes: answer.body.length }).then(read)
  }

  /** What goes wrong from here on is a fault of the page alone, unless the store fails. */
  #read(fetched: FetchedVisit, about: About): VisitReport | Promise<VisitReport> {
    const { publisher, noiseRecheck } = this.#parts
    const { answer, lease } = fetched
    try {
      const hints = about.isWhole ? ofPage(() => this.#findings.hintsIn(answer)) : undefined
      const hasHints = hints !== undefined && isReported(lease.page, hints)
      const mayDiffer =
        answer.kind === 'content' && (publisher !== undefined || noiseRecheck !== undefined)
      const isPlain = about.past === null && !hasHints && !mayDiffer && about.client === undefined
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
    const closest = await this.#closest(hinted, about)
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
    const before = await this.#hostBefore(fetched.lease.page)
    return { ...fetched, hostHints: before?.hints ?? null }
  }

  /** After a noise re-check, where one is wanted and somebody looks again. */
  async #closest(fetched: FetchedVisit, about: About): Promise<FetchedVisit> {
    const { noiseRecheck, store, visitor } = this.#parts
    const { client, isWhole, permit, signal } = about
    const { answer, lease } = fetched
    if (noiseRecheck === undefined || answer.kind !== 'content') return fetched
    const { wait } = noiseRecheck
    if (client !== undefined && (client.look === undefined || !isWhole)) return fetched
    const repeats =
      client?.look === undefined
        ? new Repeats(lease, {
            ...this.#parts,
            ...this.#terms,
            wait,
            request: permit.request,
            bytes: answer.body.length,
            signal,
          })
        : this.#clientRepeats(permit, { look: client.look, wait })
    const again = () => repeats.again()
    const found = await afterNoiseRecheck(fetched, { noiseRecheck, store, again })
    // Others were at the host meanwhile: what it was like after the first look is no longer so.
    return { ...found, host: visitor.hostNow?.(lease.page.host) ?? repeats.host ?? fetched.host }
  }

  /**
   * Repeats by the client that made the visit: another place, login or browser
   * would be given other bytes. Each has its host's leave as a first request has.
   */
  #clientRepeats(
    permit: Permit,
    { look, wait }: { readonly look: NonNullable<ClientReport['look']>; readonly wait: Seconds },
  ): { again: Again; host: HostRecord | undefined } {
    const { clock, visitor } = this.#parts
    const { lease, request, client } = permit
    const end = repeatsEnd(clock.now(), client?.ttl ?? this.#terms.leaseTime)
    const repeats: { again: Again; host: HostRecord | undefined } = {
      host: undefined,
      again: async () => {
        const soonest = clock.now() + wait
        if (soonest > end) return null
        const terms = { home: lease.host, ahead: end - clock.now() }
        const access = this.#accessOf(client ?? this.#terms)
        const offered = await visitor.offer?.({ ...request, unconditional: true }, access, terms)
        if (offered?.kind !== 'offered') return null
        const notBefore = Math.max(offered.notBefore, soonest)
        const answer = await look({ ...offered, notBefore }, end)
        if (answer === null) return null
        const visit = await this.#ended(permit, answer)
        repeats.host = visit.hosts[0] ?? repeats.host
        return answer.kind === 'content' ? answer : null
      },
    }
    return repeats
  }

  /** What is known of the host's hints; visits to it may be on their way to the store. */
  async #hostBefore({ host }: PageRecord): Promise<HostRecord | null> {
    return this.#terms.unsavedHost(host) ?? (await this.#parts.store.getHost(host))
  }
}

/** How an answer came about. */
interface About {
  readonly permit: Permit
  readonly past: Promise<History | null> | null
  /** The record of the host that was asked, after the visit. */
  readonly asked: HostRecord | undefined
  readonly isWhole: boolean
  readonly client: ClientReport | undefined
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

/** Of a page told by a digest no copy is kept; and the lease is the one that was given. */
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

function within(made: VisitReport, hours: AllowedHours | null): MadeVisit {
  const due = dueWithin(made.due, hours)
  const report = due === made.due ? made : { ...made, due }
  return { report, hostRests: report.host != null && report.host.blockedUntil !== null }
}

function keyOf({ page, token }: Lease): string {
  return `${page.id} ${token}`
}

function noClients(): OptionError {
  return new OptionError('no-clients', 'these visits cannot be made by others')
}
