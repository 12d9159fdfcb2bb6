import {
  type Clock,
  type CloserLook,
  type FetchRequest,
  type History,
  type HostRecord,
  historyOf,
  type Lease,
  type PageRecord,
  type PublisherReader,
  type RandomSource,
  type Reader,
  type Seconds,
  type Store,
  type UnixSeconds,
  type Validators,
  type Visitor,
  type VisitReport,
} from '../model/index.js'
import { type AllowedHours, nextAllowed } from '../schedule/allowed-hours.js'
import { dueWithin } from './due-within.js'
import { Findings } from './hints/findings.js'
import { lookedCloser } from './looked-closer.js'
import { unpackState } from './packed-state.js'
import type { Mind } from './step.js'
import { forbiddenReport, visitReport } from './visit-report.js'

/** Visits that the state of another learner is rebuilt from. */
const rebuiltFrom = 1_000

/** Everything the loop runs on; nothing in it is opened here. */
export interface CycleParts {
  readonly store: Store
  readonly visitor: Visitor
  readonly reader: Reader
  /** Tells noise from change by looking again; no page is looked at again without it. */
  readonly closer?: CloserLook
  readonly clock: Clock
  readonly random: RandomSource
  /** The policy and learner of a page. */
  readonly mindFor: (page: PageRecord) => Mind
  /** Hours in which a page may be visited; at any time unless said. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** What to ask a page's server with, instead of what it told; only where something is kept. */
  readonly validatorsFor?: (page: PageRecord) => Validators
  /** Listens to publishers' hints and finds pages; nobody does unless said. */
  readonly publisher?: PublisherReader
}

export interface CycleSettings {
  readonly collection: string
  /** Names this process to the store. */
  readonly worker: string
  /** Visits under way at once, over all hosts; 16 unless said. */
  readonly concurrency?: number
  /** Visits under way at once to one host; 1 unless said. */
  readonly perHost?: number
  /** How long a page is held for one visit; five minutes unless said. */
  readonly leaseTime?: Seconds
  /** Share of conditional visits made unconditionally, to catch a server whose 304 lies; 0.05 unless said. */
  readonly doubt?: number
  /** No longer than this between two looks at what is due, so that pages added meanwhile are seen; 5 s unless said. */
  readonly lookAgain?: Seconds
}

export interface RunOptions {
  /** Finishes what is under way, then ends. */
  readonly signal?: AbortSignal
  /** Ends once nothing is due. */
  readonly once?: boolean
  /** With `once`: hosts that rest longer than this are left to the next run; none unless said. */
  readonly patience?: Seconds
  /** Ends at this time. */
  readonly until?: UnixSeconds
  /** Called after each visit is safely recorded. */
  readonly onVisit?: (report: VisitReport, page: PageRecord) => void
}

/**
 * The only file that closes the loop: observe, estimate, schedule, fetch,
 * observe. It leases pages that are due, asks the host's leave, makes the
 * visit, and records it with all that follows in one commit. Killed anywhere,
 * it has lost nothing that was recorded and counted nothing twice: a page
 * leased and not reported becomes due again when its lease runs out, and a
 * host is booked before it is asked.
 */
export class Cycle {
  readonly #parts: CycleParts
  readonly #settings: Required<CycleSettings>
  readonly #findings: Findings
  readonly #underWay = new Set<Promise<void>>()
  #failure: unknown

  constructor(parts: CycleParts, settings: CycleSettings) {
    this.#parts = parts
    this.#findings = new Findings(parts)
    this.#settings = {
      concurrency: 16,
      perHost: 1,
      leaseTime: 300,
      doubt: 0.05,
      lookAgain: 5,
      ...settings,
    }
  }

  /** How many visits are under way. */
  get underWay(): number {
    return this.#underWay.size
  }

  async run(options: RunOptions = {}): Promise<void> {
    const { clock } = this.#parts
    const over = () =>
      options.signal?.aborted === true || clock.now() >= (options.until ?? Infinity)
    while (!over() && this.#failure === undefined) {
      const leases = this.#hasRoom() ? await this.#lease() : []
      for (const lease of leases) this.#start(lease, options)
      if (leases.length > 0) continue
      if (options.once === true && this.#underWay.size === 0 && !(await this.#dueSoon(options)))
        break
      await this.#rest(options)
    }
    await Promise.all(this.#underWay)
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Pages are leased by the handful: asking the store after each visit would cost more than the visit. */
  #hasRoom(): boolean {
    const { concurrency } = this.#settings
    return this.#underWay.size <= 0.75 * concurrency
  }

  async #lease(): Promise<readonly Lease[]> {
    const { collection, concurrency, perHost, leaseTime, worker } = this.#settings
    const limit = concurrency - this.#underWay.size
    return this.#parts.store.leaseDue({
      collection,
      limit,
      perHost,
      worker,
      now: this.#parts.clock.now(),
      ttl: leaseTime,
    })
  }

  /** Whether anything is due now, and its host does not rest for longer than the patience. */
  async #dueSoon({ patience = Infinity }: RunOptions): Promise<boolean> {
    const { store, clock } = this.#parts
    const { collection, perHost } = this.#settings
    const now = clock.now()
    if ((await store.countPages({ collection, dueBy: now })) === 0) return false
    if (patience === Infinity) return true
    const next = await store.nextDue({ collection, now, perHost })
    return next !== null && next <= now + patience
  }

  #start(lease: Lease, options: RunOptions): void {
    const visit = this.#visit(lease, options)
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#underWay.delete(visit))
    this.#underWay.add(visit)
  }

  /** Waits for a visit to end, or for the next page to fall due. */
  async #rest({ signal, until = Infinity }: RunOptions): Promise<void> {
    const { store, clock } = this.#parts
    const { collection, perHost } = this.#settings
    const now = clock.now()
    const next = this.#hasRoom() ? await store.nextDue({ collection, now, perHost }) : null
    const wake = Math.min(next ?? Infinity, until, now + this.#settings.lookAgain)
    const stop = new AbortController()
    const stopped = () => stop.abort()
    signal?.addEventListener('abort', stopped, { once: true })
    if (signal?.aborted) stop.abort()
    await Promise.race([clock.sleep(Math.max(0.001, wake - now), stop.signal), ...this.#underWay])
    stop.abort()
    signal?.removeEventListener('abort', stopped)
  }

  async #visit(lease: Lease, options: RunOptions): Promise<void> {
    const { store, visitor, clock } = this.#parts
    const { page } = lease
    const began = clock.now()
    if (await this.#putOff(lease, began)) return
    const known = await store.getHost(page.host)
    const visit = await visitor.visit(this.#request(page), {
      host: known,
      book: (host) => store.putHosts([host]),
    })
    const host = visit.hosts.find((each) => each.host === page.host)
    const others = visit.hosts.filter((each) => each.host !== page.host)
    if (others.length > 0) await store.putHosts(others)
    const now = clock.now()
    if (visit.kind === 'wait')
      return this.#postpone(
        lease,
        host ?? { host: page.host, state: null, blockedUntil: null },
        visit.until,
      )
    if (visit.kind === 'disallowed')
      return this.#record(forbiddenReport({ lease, host, at: now }), page, options)
    const { reader, random } = this.#parts
    const mind = this.#parts.mindFor(page)
    const { answer } = visit
    const hints = this.#findings.told(answer, known)
    const past = await this.#pastOf(page, mind)
    const duration = now - began
    const told = { lease, answer, host, mind, reader, random, duration, past, ...hints }
    const closer = await lookedCloser(told, { ...this.#parts, ...this.#settings, ...options })
    const report = visitReport(closer)
    // Before the visit is recorded: killed in between, it is made again and finds the same.
    const taken = await this.#findings.take({ answer, page, host: closer.host, report })
    await this.#record(taken, page, options)
  }

  /** A page that another learner followed is learned anew from its recorded visits. */
  async #pastOf(page: PageRecord, mind: Mind): Promise<History | null> {
    const { store, random } = this.#parts
    if (page.lastSeen === null || unpackState(mind, page, random) !== null) return null
    return historyOf(await store.visitsOf(page, { newest: rebuiltFrom }))
  }

  /** A page that fell due in its hours may be leased after them, by a loop that was not running. */
  async #putOff(lease: Lease, now: UnixSeconds): Promise<boolean> {
    const { store, hoursFor } = this.#parts
    const hours = hoursFor?.(lease.page) ?? null
    if (hours === null || nextAllowed(now, hours) === now) return false
    const due = dueWithin({ at: now, reason: lease.page.due.reason }, hours)
    await store.changePage(lease.page, { due })
    await store.releaseLeases([lease])
    return true
  }

  #request(page: PageRecord): FetchRequest {
    const { headers } = page.settings
    return {
      url: page.movedTo ?? page.url,
      validators: this.#parts.validatorsFor?.(page) ?? page.validators,
      unconditional:
        page.fingerprint === null ||
        this.#parts.reader.isCurrent?.(page) === false ||
        this.#parts.random.uniform() < this.#settings.doubt,
      ...(headers === undefined ? {} : { headers }),
      ...(page.settings.browser === true ? { drawn: true } : {}),
    }
  }

  /** The host rests: its pages are not leased again before. */
  async #postpone(lease: Lease, host: HostRecord, until: UnixSeconds): Promise<void> {
    await this.#parts.store.putHosts([{ ...host, blockedUntil: until }])
    await this.#parts.store.releaseLeases([lease])
  }

  async #record(made: VisitReport, page: PageRecord, options: RunOptions): Promise<void> {
    const due = dueWithin(made.due, this.#parts.hoursFor?.(page) ?? null)
    const report = due === made.due ? made : { ...made, due }
    const [fate] = await this.#parts.store.recordVisits([report])
    if (fate === 'recorded') options.onVisit?.(report, page)
    if (fate === 'not-forward') await this.#parts.store.releaseLeases([report.lease])
  }
}
