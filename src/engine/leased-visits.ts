import type {
  Clock,
  FetchRequest,
  HostRecord,
  Lease,
  PageRecord,
  PoliteVisit,
  RandomSource,
  Reader,
  Store,
  UnixSeconds,
  Visitor,
  VisitReport,
} from '../model/index.js'
import { type AllowedHours, nextAllowed } from '../schedule/allowed-hours.js'
import { dueWithin } from './due-within.js'
import type { Mind } from './step.js'
import { forbiddenReport, visitReport } from './visit-report.js'

/** Everything visits are made with; nothing in it is opened here. */
export interface CycleParts {
  readonly store: Store
  readonly visitor: Visitor
  readonly reader: Reader
  readonly clock: Clock
  readonly random: RandomSource
  /** The policy and learner of a page. */
  readonly mindFor: (page: PageRecord) => Mind
  /** Hours in which a page may be visited; at any time unless said. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
}

/** What became of a leased page. */
export interface MadeVisit {
  /** What is to be recorded; null where the page was given back unvisited. */
  readonly report: VisitReport | null
  /** Whether its host is to be left alone for a while. */
  readonly hostRests: boolean
}

/** Turns leased pages into reports: the host's leave, the visit, what follows from it. */
export class LeasedVisits {
  readonly #parts: CycleParts
  readonly #doubt: number

  constructor(parts: CycleParts, { doubt }: { readonly doubt: number }) {
    this.#parts = parts
    this.#doubt = doubt
  }

  async make(lease: Lease): Promise<MadeVisit> {
    const { clock, visitor, hoursFor } = this.#parts
    const { page } = lease
    const hours = hoursFor?.(page) ?? null
    const began = clock.now()
    if (hours !== null && nextAllowed(began, hours) !== began)
      return this.#putOff(lease, { hours, now: began })
    const visit = await visitor.visit(this.#request(page), this.#leave)
    const host = visit.hosts.find((each) => each.host === page.host)
    // The host's record is stored with the visit; those of hosts that redirects led to, now.
    const others = visit.hosts.filter((each) => each.host !== page.host)
    if (others.length > 0) await this.#parts.store.putHosts(others)
    if (visit.kind === 'wait') return this.#postpone(lease, { host, until: visit.until })
    const made = this.#report(lease, { visit, host, began })
    const due = dueWithin(made.due, hours)
    const report = due === made.due ? made : { ...made, due }
    return { report, hostRests: host != null && host.blockedUntil !== null }
  }

  readonly #leave = {
    host: (name: string) => this.#parts.store.getHost(name),
    book: (host: HostRecord) => this.#parts.store.putHosts([host]),
  }

  #report(
    lease: Lease,
    told: {
      readonly visit: Exclude<PoliteVisit, { kind: 'wait' }>
      readonly host: HostRecord | undefined
      readonly began: UnixSeconds
    },
  ): VisitReport {
    const { clock, reader, random, mindFor } = this.#parts
    const { visit, host, began } = told
    const now = clock.now()
    if (visit.kind === 'disallowed') return forbiddenReport({ lease, host, at: now })
    const { answer } = visit
    const mind = mindFor(lease.page)
    return visitReport({ lease, answer, host, mind, reader, random, duration: now - began })
  }

  #request(page: PageRecord): FetchRequest {
    const { headers } = page.settings
    const unconditional = page.fingerprint === null || this.#parts.random.uniform() < this.#doubt
    const request = { url: page.movedTo ?? page.url, validators: page.validators, unconditional }
    return headers === undefined ? request : { ...request, headers }
  }

  /** A page that fell due in its hours may be leased after them, by a loop that was not running. */
  async #putOff(
    lease: Lease,
    { hours, now }: { readonly hours: AllowedHours; readonly now: UnixSeconds },
  ): Promise<MadeVisit> {
    const { store } = this.#parts
    const due = dueWithin({ at: now, reason: lease.page.due.reason }, hours)
    await store.changePage(lease.page, { due })
    await store.releaseLeases([lease])
    return { report: null, hostRests: false }
  }

  /** The host rests: its pages are not leased again before. */
  async #postpone(
    lease: Lease,
    { host, until }: { readonly host: HostRecord | undefined; readonly until: UnixSeconds },
  ): Promise<MadeVisit> {
    const { store } = this.#parts
    const known = host ?? { host: lease.page.host, state: null }
    await store.putHosts([{ ...known, blockedUntil: until }])
    await store.releaseLeases([lease])
    return { report: null, hostRests: true }
  }
}
