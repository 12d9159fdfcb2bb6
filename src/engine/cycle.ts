import type { Lease, ReportFate, VisitReport } from '../model/index.js'
import { Bell } from './bell.js'
import type { CycleParts } from './cycle-parts.js'
import { type CycleSettings, type RunOptions, withDefaults } from './cycle-settings.js'
import { HeldLeases } from './held-leases.js'
import { LeasedVisits, type MadeVisit } from './leased-visits.js'
import { UnsavedVisits } from './unsaved-visits.js'

/**
 * The only file that closes the loop: observe, estimate, schedule, fetch,
 * observe. It leases pages that are due, asks the host's leave, makes the
 * visit, and records it with all that follows in one commit. The next page of
 * a host is visited while the last one's record is on its way to the disk.
 * Killed anywhere, it has lost nothing that was recorded and counted nothing
 * twice: a page leased and not reported becomes due again when its lease runs
 * out, and a host is booked before it is asked.
 */
export class Cycle {
  readonly #parts: CycleParts
  readonly #settings: Required<CycleSettings>
  readonly #visits: LeasedVisits
  readonly #held: HeldLeases
  readonly #unsaved: UnsavedVisits
  /** Rings when there may be something to lease, or nothing is left to wait for. */
  readonly #bell = new Bell()
  #failure: unknown

  constructor(parts: CycleParts, settings: CycleSettings) {
    this.#parts = parts
    this.#settings = withDefaults(settings)
    this.#held = new HeldLeases(this.#settings)
    this.#unsaved = new UnsavedVisits({ most: 32 * this.#settings.concurrency })
    const unsavedHost = (name: string) => this.#unsaved.host(name)
    this.#visits = new LeasedVisits(parts, { ...this.#settings, unsavedHost })
  }

  /** How many visits are under way. */
  get underWay(): number {
    return this.#held.running + this.#unsaved.count
  }

  async run(options: RunOptions = {}): Promise<void> {
    while (!this.#over(options)) {
      this.#bell.hush()
      const leases = this.#hasRoom() ? await this.#lease() : []
      this.#held.add(leases)
      this.#startHeld(options)
      if (leases.length > 0) continue
      if (options.once === true && this.#leased === 0 && !(await this.#dueSoon(options))) break
      await this.#rest(options)
    }
    await this.#giveBack(this.#held.dropAll())
    while (this.underWay > 0) {
      this.#bell.hush()
      await this.#bell.heard()
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  #over({ signal, until = Infinity }: RunOptions): boolean {
    return (
      this.#failure !== undefined || signal?.aborted === true || this.#parts.clock.now() >= until
    )
  }

  /** Pages leased and not yet recorded. */
  get #leased(): number {
    return this.#held.waiting + this.underWay
  }

  /**
   * Pages are leased by the handful: asking the store after each visit would
   * cost more than the visit. No more of them wait at hand than will be visited
   * while the next are fetched: what waits longer is moved about by the garbage
   * collector.
   */
  #hasRoom(): boolean {
    const { concurrency, ahead } = this.#settings
    const few = this.#held.waiting <= 0.75 * this.#handful
    return few && this.#leased <= 0.75 * concurrency * ahead
  }

  /** A quarter of all that may be leased: the first visits need not wait for the rest. */
  get #handful(): number {
    const { concurrency, ahead } = this.#settings
    return Math.max(concurrency, (concurrency * ahead) >> 2)
  }

  async #lease(): Promise<readonly Lease[]> {
    const { collection, concurrency, perHost, ahead, leaseTime, worker } = this.#settings
    return this.#parts.store.leaseDue({
      collection,
      limit: Math.min(this.#handful, concurrency * ahead - this.#leased),
      perHost,
      ahead: perHost * ahead,
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

  /** Waits for something to lease: a visit that ends, or the next page that falls due. */
  async #rest({ signal, until = Infinity }: RunOptions): Promise<void> {
    const { store, clock } = this.#parts
    const { collection, perHost } = this.#settings
    const now = clock.now()
    // With pages at hand there is no hurry, and a visit that ends is heard.
    const looks = this.#hasRoom() && this.#held.waiting === 0
    const next = looks ? await store.nextDue({ collection, now, perHost }) : null
    const wake = Math.min(next ?? Infinity, until, now + this.#settings.lookAgain)
    await this.#bell.heardWithin(Math.max(0.001, wake - now), { clock, signal })
  }

  /** Starts visits to hosts that have room, as many as may be under way. */
  #startHeld(options: RunOptions): void {
    const { concurrency } = this.#settings
    while (this.#held.running < concurrency && this.#unsaved.hasRoom && !this.#over(options)) {
      const lease = this.#held.start()
      if (lease === undefined) return
      if (this.#isFresh(lease)) {
        this.#visit(lease, options)
        continue
      }
      this.#held.end(lease)
      void this.#giveBack([lease])
    }
  }

  /** A page that waited for half of its lease goes back: its visit might outlast the rest. */
  #isFresh({ expiresAt }: Lease): boolean {
    const { ahead, leaseTime } = this.#settings
    return ahead === 1 || expiresAt - this.#parts.clock.now() >= leaseTime / 2
  }

  #visit(lease: Lease, options: RunOptions): void {
    this.#visits.make(lease, options.signal).then(
      (made) => this.#made(lease, made, options),
      (error: unknown) => {
        this.#failure ??= error
        this.#made(lease, notMade, options)
      },
    )
  }

  #made(lease: Lease, { report, hostRests }: MadeVisit, options: RunOptions): void {
    const rest = hostRests ? this.#giveBack(this.#held.drop(lease.page.host)) : undefined
    if (rest === undefined) this.#record(lease, report, options)
    else void rest.then(() => this.#record(lease, report, options))
  }

  /** Its host is free for the next page as soon as the answer is read; the rest is for the disk. */
  #record(lease: Lease, report: VisitReport | null, options: RunOptions): void {
    if (report !== null) this.#save(lease, report, options)
    this.#held.end(lease)
    this.#startHeld(options)
    if (report === null || this.#hasRoom()) this.#bell.ring()
  }

  #save(lease: Lease, report: VisitReport, options: RunOptions): void {
    this.#unsaved.add(report)
    this.#parts.store.recordVisits([report]).then(
      ([fate]) => this.#saved(lease, report, { fate, options }),
      (error: unknown) => {
        this.#failure ??= error
        this.#saved(lease, report, { fate: undefined, options })
      },
    )
  }

  #saved(
    lease: Lease,
    report: VisitReport,
    { fate, options }: { readonly fate: ReportFate | undefined; readonly options: RunOptions },
  ): void {
    this.#unsaved.remove(report)
    try {
      if (fate === 'recorded') options.onVisit?.(report, lease.page)
    } catch (error) {
      this.#failure ??= error
    }
    if (fate === 'not-forward') void this.#giveBack([lease]).then(() => this.#bell.ring())
    this.#startHeld(options)
    this.#bell.ring()
  }

  async #giveBack(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return
    try {
      await this.#parts.store.releaseLeases(leases)
    } catch (error) {
      this.#failure ??= error
    }
  }
}

const notMade: MadeVisit = { report: null, hostRests: false }
