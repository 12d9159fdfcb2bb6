import type { Lease } from '../model/lease.js'
import type { Clock, Seconds, UnixSeconds } from '../model/units.js'
import type { RecordResult, VisitReport } from '../model/visit-record.js'
import { type MadeVisit, notMade } from '../visit/deferred.js'
import { VisitSession } from '../visit/session.js'
import type { SessionParts } from '../visit/session-parts.js'
import { HeldLeases, PausedVisits } from './host-queues.js'
import {
  type CycleSettings,
  dueSoon,
  LeaseBatches,
  type RunOptions,
  untilNextPoll,
  withDefaults,
} from './lease-batches.js'
import { type SavedVisit, UnsavedVisits } from './unsaved-visits.js'

/** Wakes one who waits. It stays raised until it is reset, so that none is missed in between. */
class WakeSignal {
  #raised = false
  #wake: (() => void) | undefined

  raise(): void {
    this.#raised = true
    this.#wake?.()
  }

  reset(): void {
    this.#raised = false
    this.#wake = undefined
  }

  /** Resolves when it is raised next; at once if it is raised. */
  raised(): Promise<void> {
    if (this.#raised) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** The same, for so long at most, or until the signal. */
  async raisedWithin(
    wait: Seconds,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const stop = new AbortController()
    const stopped = () => stop.abort()
    signal?.addEventListener('abort', stopped, { once: true })
    if (signal?.aborted) stop.abort()
    await Promise.race([clock.sleep(wait, stop.signal), this.raised()])
    stop.abort()
    signal?.removeEventListener('abort', stopped)
  }
}

/** What other processes have claimed and not used comes back: it is worth asking again before the next day. */
const askAgain: Seconds = 60

/**
 * Whether a loop rests because the day's budget of requests is used up. That
 * is ours and no host's doing, so no host is told to rest for it: a run with
 * another budget finds all of them as they are.
 */
export class BudgetRest {
  readonly #clock: Clock
  #until: UnixSeconds = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOn(): boolean {
    return this.#clock.now() < this.#until
  }

  /** A visit was not made for want of a request; the budget opens again at this time at the latest. */
  begin(opens: UnixSeconds): void {
    this.#until = Math.min(opens, this.#clock.now() + askAgain)
  }
}

/** A visit that takes longer leaves its place among those under way to another host's. */
const slowAfter: Seconds = 0.5
/** For each visit that may be under way, so many may linger: they cost a socket and what has come so far. */
const lingeringEach = 16

/**
 * The only file that closes the loop: observe, estimate, plan, visit, observe.
 * It leases pages that are due, asks for the host's permit, makes the visit, and
 * records it with all that follows in one commit. The next page of a host is
 * visited while the last one's record is on its way to the disk.
 * Killed anywhere, it has lost nothing that was recorded and counted nothing
 * twice: a page leased and not reported becomes due again when its lease runs
 * out, and a host is booked before it is asked.
 */
export class Cycle {
  /** The visits: those of the loop, and those that clients make. */
  readonly session: VisitSession
  readonly #parts: SessionParts
  readonly #settings: Required<CycleSettings>
  readonly #leaseBatches: LeaseBatches
  readonly #held: HeldLeases
  readonly #unsaved: UnsavedVisits
  readonly #paused: PausedVisits
  readonly #budgetRest: BudgetRest
  /** Raised when there may be something to lease, or nothing is left to wait for. */
  readonly #wakeSignal = new WakeSignal()
  /** Of the run under way. */
  #options: RunOptions = {}
  #failure: unknown

  /** Loops that share a budget rest together. */
  constructor(
    parts: SessionParts,
    settings: CycleSettings,
    budgetRest: BudgetRest = new BudgetRest(parts.clock),
  ) {
    this.#parts = parts
    this.#settings = withDefaults(settings)
    this.#leaseBatches = new LeaseBatches(parts, this.#settings)
    const { perHost } = this.#settings
    this.#held = new HeldLeases({ perHost, now: () => parts.clock.now() })
    this.#budgetRest = budgetRest
    const most = 32 * this.#settings.concurrency
    this.#unsaved = new UnsavedVisits({
      store: parts.store,
      most,
      onSaved: (saved, fate) => this.#saved(saved, fate),
      onRoom: (failure) => {
        this.#failure ??= failure
        this.#startHeld()
        this.#wakeSignal.raise()
      },
    })
    const unsavedHost = (name: string) => this.#unsaved.host(name)
    this.#paused = new PausedVisits({
      held: this.#held,
      most,
      onTurn: () => this.#turn(),
    })
    this.session = new VisitSession(parts, {
      ...this.#settings,
      unsavedHost,
      rest: (lease, rest) => this.#paused.rest(lease, rest),
    })
  }

  /** How many visits are under way. */
  get underWay(): number {
    const { running, lingering } = this.#held
    return running + lingering + this.#paused.count + this.#unsaved.count
  }

  async run(options: RunOptions = {}): Promise<void> {
    this.#options = options
    this.#failure = undefined
    try {
      await this.#visitWhatIsDue()
    } catch (error) {
      // What is under way ends as it does after any other failure.
      this.#failure ??= error
    }
    await this.#giveBack(this.#held.dropAll())
    while (this.underWay > 0) {
      this.#wakeSignal.reset()
      await this.#wakeSignal.raised()
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Until it is told to stop, or with `once` until nothing is due. */
  async #visitWhatIsDue(): Promise<void> {
    const paused = this.#paused
    while (!this.#over) {
      this.#wakeSignal.reset()
      const leases = this.#hasRoom()
        ? await this.#leaseBatches.take(this.#atHand, paused.count)
        : []
      for (const lease of leases) this.#parts.visitor.leased?.(lease)
      this.#held.add(leases)
      this.#held.letLinger({ longerThan: slowAfter, most: this.#mostLingering })
      this.#startHeld()
      if (leases.length > 0) continue
      if (this.#options.once === true && this.#leased === 0 && (await this.#isDone())) return
      await this.#rest()
    }
  }

  async #isDone(): Promise<boolean> {
    if (this.#budgetRest.isOn) return true
    const next = await dueSoon(this.#parts, this.#settings, this.#options)
    if (next !== null) this.#notify(() => this.#options.onRest?.(next))
    return next === null
  }

  get #over(): boolean {
    const { signal, until } = this.#options
    return (
      this.#failure !== undefined ||
      signal?.aborted === true ||
      (until !== undefined && this.#parts.clock.now() >= until)
    )
  }

  /** Pages leased and not yet recorded. */
  get #leased(): number {
    return this.#held.waiting + this.underWay
  }

  /** The same without visits that are paused or linger, and pages that wait for those. */
  get #atHand(): number {
    const { ready, running } = this.#held
    return ready + running + this.#unsaved.count
  }

  #hasRoom(): boolean {
    if (this.#budgetRest.isOn) return false
    return this.#leaseBatches.hasRoom({ waiting: this.#held.ready, atHand: this.#atHand })
  }

  /** Waits for something to lease: a visit that ends, or the next page that falls due. */
  async #rest(): Promise<void> {
    const { signal, until = Infinity } = this.#options
    const { running } = this.#held
    const polls = this.#hasRoom() && running < this.#settings.concurrency
    const next = await untilNextPoll(this.#parts, this.#settings, { polls, until })
    // A visit that ends raises the wake signal; one that does not has to be noticed.
    const wait = running > 0 ? Math.min(next, slowAfter / 2) : next
    await this.#wakeSignal.raisedWithin(wait, { clock: this.#parts.clock, signal })
  }

  /** Starts visits to hosts that have room, as many as may be under way. */
  #startHeld(): void {
    const { concurrency } = this.#settings
    while (this.#held.running < concurrency) {
      const goOn = this.#held.nextBack()
      if (goOn === undefined) break
      goOn()
    }
    while (this.#held.running < concurrency && this.#unsaved.hasRoom && !this.#over) {
      const lease = this.#held.start()
      if (lease === undefined) return
      if (this.#leaseBatches.isFresh(lease)) {
        this.#visit(lease)
        continue
      }
      this.#held.end(lease)
      void this.#giveBack([lease])
    }
  }

  /** A host may be free for the next page, and pages may be leased. */
  #turn(): void {
    this.#startHeld()
    if (this.#hasRoom()) this.#wakeSignal.raise()
  }

  #visit(lease: Lease): void {
    this.session.visit(lease, this.#options.signal).then(
      (made) => this.#made(lease, made),
      (error: unknown) => {
        this.#failure ??= error
        this.#made(lease, notMade)
      },
    )
  }

  #made(lease: Lease, { report, hostRests, budgetOpens }: MadeVisit): void {
    if (budgetOpens !== undefined) this.#spent(budgetOpens)
    const rest = hostRests ? this.#giveBack(this.#held.drop(lease.host)) : undefined
    if (rest === undefined) this.#record(lease, report)
    else void rest.then(() => this.#record(lease, report))
  }

  get #mostLingering(): number {
    return lingeringEach * this.#settings.concurrency
  }

  /** No page can be visited: others may have those at hand, and none is leased for a while. */
  #spent(opens: UnixSeconds): void {
    this.#budgetRest.begin(opens)
    void this.#giveBack(this.#held.dropAll())
    this.#notify(() => this.#options.onSpent?.(opens))
  }

  /** What the caller makes of it ends the loop where it fails. */
  #notify(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#failure ??= error
    }
  }

  /** Its host is free for the next page as soon as the answer is read; the rest is for the disk. */
  #record(lease: Lease, report: VisitReport | null): void {
    if (report !== null) this.#unsaved.add(lease, report)
    else this.#parts.visitor.ended?.(lease)
    this.#held.end(lease)
    this.#turn()
    if (report === null) this.#wakeSignal.raise()
  }

  #saved(saved: SavedVisit, fate: RecordResult): void {
    if (fate === 'recorded') this.#notify(() => this.#options.onVisit?.(saved))
    if (fate !== 'not-forward') this.#parts.visitor.ended?.(saved.lease)
    else void this.#giveBack([saved.lease]).then(() => this.#wakeSignal.raise())
  }

  async #giveBack(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return
    for (const lease of leases) this.#parts.visitor.ended?.(lease)
    try {
      await this.#parts.store.releaseLeases(leases)
    } catch (error) {
      this.#failure ??= error
    }
  }
}
