import { OptionError } from '../model/errors.js'
import type { Admitted, FetchAnswer, HostAccess, Offered, PoliteVisit } from '../model/fetcher.js'
import type { HostRecord, Lease } from '../model/lease.js'
import { LruMap } from '../model/lru-map.js'
import { hostOf, type PageRecord } from '../model/page.js'
import type { Seconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import { type AllowedHours, dueWithin } from '../policies/allowed-hours.js'
import { AnswerReports, type Ending } from './answer-report.js'
import { afterRedirect } from './backoff.js'
import {
  type DeferParts,
  deferVisit,
  isOutside,
  isPageFault,
  keptDue,
  type MadeVisit,
  postponed,
  unmadeReport,
} from './deferred.js'
import { storeHostAccess } from './politeness/host-holds.js'
import { ClientRepeats } from './repeats.js'
import { forbiddenReport } from './report.js'
import { askedAddress, requestFor, visitOnce } from './request.js'
import type { Client, ClientReport, Permit, SessionParts, SessionTerms } from './session-parts.js'

/** For our own fetcher. */
interface OwnPermit extends Permit {
  readonly admitted: Admitted
}

/** For a program that fetches the page itself and reports what it found. */
export interface ClientPermit extends Permit {
  readonly offered: Offered
  readonly client: Client
}

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
  readonly #answers: AnswerReports
  readonly #deferParts: DeferParts
  readonly #hostAccess: HostAccess
  readonly #offered = new LruMap<ClientPermit>({ most: mostOffered })

  constructor(parts: SessionParts, terms: SessionTerms) {
    this.#parts = parts
    this.#terms = terms
    this.#hostAccess = storeHostAccess(parts, { worker: terms.worker, ttl: terms.leaseTime })
    const hostBefore = (page: PageRecord) => this.#hostBefore(page)
    this.#deferParts = { store: parts.store, hostBefore }
    this.#answers = new AnswerReports(parts, { ...terms, hostBefore })
  }

  /** Begin, our own fetch, finish. Nobody is waited for who has nothing to say: a turn of promises for each would take its time. */
  visit(lease: Lease, signal?: AbortSignal): Promise<MadeVisit> {
    try {
      const begun = this.begin(lease)
      if (!(begun instanceof Promise)) return this.#fetched(begun, signal)
      return begun.then(
        (later) => this.#fetched(later, signal),
        (error: unknown) => this.#unmade(lease, error),
      )
    } catch (error) {
      return this.#unmade(lease, error)
    }
  }

  /**
   * One polite request for a page that nobody leases, for a person who wants to
   * see it now: by its robots.txt, its host's delay and the day's budget.
   * Nothing is recorded but what its host was asked.
   */
  async preview(page: PageRecord): Promise<PoliteVisit> {
    const request = { ...askedAddress(page), unconditional: true }
    return visitOnce(this.#parts.visitor, request, { hostAccess: this.#hostAccess })
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
    const visit = await this.#ended(permit, answer)
    return this.finish(permit, visit, { client, repeats: this.#repeats(permit, client) })
  }

  /** For the noise re-check, where the client takes part in it. */
  #repeats(permit: Permit, { repeat }: ClientReport): ClientRepeats | undefined {
    const { clock, visitor, noiseRecheck } = this.#parts
    const { lease, request, client } = permit
    if (repeat === undefined || client === undefined || noiseRecheck === undefined) return undefined
    return new ClientRepeats({
      clock,
      wait: noiseRecheck.wait,
      ttl: client.ttl,
      repeat,
      offer: async (ahead) => {
        if (visitor.offer === undefined) throw noClients()
        const again = { ...request, unconditional: true }
        return visitor.offer(again, this.#accessOf(client), { home: lease.host, ahead })
      },
      ended: (answer) => this.#ended(permit, answer),
    })
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
  finish(permit: Permit, visit: PoliteVisit, more: Ending = {}): MadeVisit | Promise<MadeVisit> {
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

  #finished(permit: Permit, visit: PoliteVisit, more: Ending): MadeVisit | Promise<MadeVisit> {
    const { clock, store, neighbours } = this.#parts
    const { lease, hours } = permit
    const { page } = lease
    // Stored with the visit.
    const host = recordIn(visit.hosts, page.host)
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
        : this.#answers.report(permit, visit, host, more)
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

  /** What is known of the host's hints; visits to it may be on their way to the store. */
  async #hostBefore({ host }: PageRecord): Promise<HostRecord | null> {
    return this.#terms.unsavedHost(host) ?? (await this.#parts.store.getHost(host))
  }
}

/** The first, mostly: a visit that is led nowhere else meets one host. */
function recordIn(hosts: readonly HostRecord[], name: string): HostRecord | undefined {
  const [first] = hosts
  return first?.host === name ? first : hosts.find(({ host }) => host === name)
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
