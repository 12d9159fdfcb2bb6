import type {
  Clock,
  Fetcher,
  HostGate,
  HostRecord,
  Lease,
  PageRecord,
  RandomSource,
  Reader,
  Seconds,
  Store,
  UnixSeconds,
  VisitReport,
} from '../model/index.js'
import type { Mind } from './step.js'
import { forbiddenReport, visitReport } from './visit-report.js'

/** Everything the loop runs on; nothing in it is opened here. */
export interface CycleParts {
  readonly store: Store
  readonly gate: HostGate
  readonly fetcher: Fetcher
  readonly reader: Reader
  readonly clock: Clock
  readonly random: RandomSource
  /** The policy and learner of a page. */
  readonly mindFor: (page: PageRecord) => Mind
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
}

export interface RunOptions {
  /** Finishes what is under way, then ends. */
  readonly signal?: AbortSignal
  /** Ends once nothing is due. */
  readonly once?: boolean
  /** Ends at this time. */
  readonly until?: UnixSeconds
  /** Called after each visit is safely recorded. */
  readonly onVisit?: (report: VisitReport, page: PageRecord) => void
}

/** No longer than this between two looks at what is due, so that pages added meanwhile are seen. */
const longestSleep: Seconds = 5

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
  readonly #underWay = new Set<Promise<void>>()
  #failure: unknown

  constructor(parts: CycleParts, settings: CycleSettings) {
    this.#parts = parts
    this.#settings = { concurrency: 16, perHost: 1, leaseTime: 300, doubt: 0.05, ...settings }
  }

  /** How many visits are under way. */
  get underWay(): number {
    return this.#underWay.size
  }

  async run(options: RunOptions = {}): Promise<void> {
    const over = () =>
      options.signal?.aborted === true || this.#parts.clock.now() >= (options.until ?? Infinity)
    while (!over() && this.#failure === undefined) {
      const leases = await this.#lease()
      for (const lease of leases) this.#start(lease, options)
      if (leases.length > 0) continue
      if (
        this.#underWay.size === 0 &&
        options.once === true &&
        !(await this.#dueBefore(options.until))
      )
        break
      await this.#rest(options)
    }
    await Promise.all(this.#underWay)
    if (this.#failure !== undefined) throw this.#failure
  }

  async #lease(): Promise<readonly Lease[]> {
    const { collection, concurrency, perHost, leaseTime, worker } = this.#settings
    const limit = concurrency - this.#underWay.size
    if (limit <= 0) return []
    return this.#parts.store.leaseDue({
      collection,
      limit,
      perHost,
      worker,
      now: this.#parts.clock.now(),
      ttl: leaseTime,
    })
  }

  /** With `once`: whether anything is due now, though its host may be resting. */
  async #dueBefore(until: UnixSeconds | undefined): Promise<boolean> {
    const { store, clock } = this.#parts
    const { collection } = this.#settings
    const dueBy = Math.min(clock.now(), until ?? Infinity)
    return (await store.countPages({ collection, dueBy })) > 0
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
    const full = this.#underWay.size >= this.#settings.concurrency
    const next = full ? null : await store.nextDue({ collection, now, perHost })
    const wake = Math.min(next ?? Infinity, until, now + longestSleep)
    const stop = new AbortController()
    const stopped = () => stop.abort()
    signal?.addEventListener('abort', stopped, { once: true })
    if (signal?.aborted) stop.abort()
    await Promise.race([clock.sleep(Math.max(0.001, wake - now), stop.signal), ...this.#underWay])
    stop.abort()
    signal?.removeEventListener('abort', stopped)
  }

  async #visit(lease: Lease, options: RunOptions): Promise<void> {
    const { store, gate, clock } = this.#parts
    const { page } = lease
    const record = await store.getHost(page.host)
    const now = clock.now()
    const admission = await gate.admit({ url: page.url, host: page.host, record, now })
    if (admission.kind === 'wait')
      return this.#postpone(lease, { ...admission.host, blockedUntil: admission.until })
    if (admission.kind === 'forbidden') {
      const { host, reason } = admission
      return this.#record(forbiddenReport({ lease, host, reason, at: clock.now() }), page, options)
    }
    if (admission.host.blockedUntil !== null) await store.putHosts([admission.host])
    await this.#record(await this.#fetch(lease, admission.host), page, options)
  }

  async #postpone(lease: Lease, host: HostRecord): Promise<void> {
    await this.#parts.store.putHosts([host])
    await this.#parts.store.releaseLeases([lease])
  }

  async #fetch(lease: Lease, host: HostRecord): Promise<VisitReport> {
    const { fetcher, reader, gate, clock, random } = this.#parts
    const { page } = lease
    const began = clock.now()
    const { headers } = page.settings
    const answer = await fetcher.fetch({
      url: page.movedTo ?? page.url,
      validators: page.validators,
      unconditional: page.fingerprint === null || random.uniform() < this.#settings.doubt,
      ...(headers === undefined ? {} : { headers }),
    })
    const now = clock.now()
    const settled = gate.settle({ record: host, answer, now })
    const mind = this.#parts.mindFor(page)
    return visitReport({
      lease,
      answer,
      host: settled,
      mind,
      reader,
      random,
      duration: now - began,
    })
  }

  async #record(report: VisitReport, page: PageRecord, options: RunOptions): Promise<void> {
    const [fate] = await this.#parts.store.recordVisits([report])
    if (fate === 'recorded') options.onVisit?.(report, page)
    if (fate === 'not-forward') await this.#parts.store.releaseLeases([report.lease])
  }
}
