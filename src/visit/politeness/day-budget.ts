import type { DayCount } from '../../model/store.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { HostGate } from './host-gate.js'
import { dayOf, noRequests } from './host-state.js'

/** Requests are claimed for so long ahead, by how fast they were made of late. */
const ahead: Seconds = 5
/** How soon it is asked again once nothing was left. */
const askAgain: Seconds = 5
/** Claimed at first, before it is known how fast they are made. */
const fewest = 16
/** Of what is left in the day, one process claims no more than this share at once: what is left at the end is shared, too. */
const share = 1 / 8

interface SharedBudgetParts {
  readonly gate: HostGate
  readonly clock: Clock
  /** No two claims follow each other sooner; by default two a second at most. */
  readonly claimEvery?: Seconds
  /** Adds to the count that all processes share; the count after it. */
  readonly add: (more: DayCount) => Promise<DayCount>
}

/**
 * The day's requests of all processes on one store. Each claims some of them
 * there before it makes them, and its gate admits no more than it has claimed,
 * so that no two take the last one. Claims are for some seconds ahead, and give
 * back what is not made: the store is written to at most twice a second. A
 * process that is killed leaves its claims behind: the budget is kept, if not
 * used up.
 */
export class SharedBudget {
  readonly #parts: SharedBudgetParts
  /** What the store has of ours, and how much of that is within the budget. */
  #stored: DayCount = noRequests
  #granted = 0
  /** All that is claimed, as the store last said. */
  #all: DayCount
  #underWay = 0
  #wroteAt: UnixSeconds = -Infinity
  /** Made a second, of late; and by when that was. */
  #rate = 0
  #madeThen = 0
  #writing: Promise<void> | undefined

  constructor(parts: SharedBudgetParts) {
    this.#parts = parts
    this.#all = parts.gate.today
  }

  /** Asks for a permit with its request claimed beforehand; the gate admits no more than are claimed. */
  async claimed<T>(begin: () => T | Promise<T>): Promise<T> {
    this.#underWay++
    try {
      await this.#claim()
      return await begin()
    } finally {
      this.#underWay--
    }
  }

  /** Claims one more than was asked for; whether there is one. */
  readonly #more = async (): Promise<boolean> => {
    this.#underWay++
    try {
      await this.#claim()
    } finally {
      this.#underWay--
    }
    return this.#granted > of(this.#parts.gate.ours, this.#day)
  }

  /** Gives back what was claimed and is not needed now, and learns what the others have. */
  async settle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    await this.#alone(() => this.#write(this.#needed - of(this.#stored, this.#day)))
  }

  /** The same where much more is claimed than will be needed soon, such as after visits became few. */
  async tidy(): Promise<void> {
    const spare = of(this.#stored, this.#day) - this.#needed
    const { clock } = this.#parts
    if (spare > this.#block && clock.now() - this.#wroteAt >= ahead) await this.settle()
  }

  get #day(): number {
    const { gate, clock } = this.#parts
    return Math.max(dayOf(clock.now()), gate.ours.day, this.#stored.day)
  }

  /** Made, or about to be. */
  get #needed(): number {
    return of(this.#parts.gate.ours, this.#day) + this.#underWay
  }

  /** Nobody's yet, as far as we know. */
  get #left(): number {
    const { requestsPerDay } = this.#parts.gate.politeness
    return Math.max(0, (requestsPerDay ?? Infinity) - of(this.#all, this.#day))
  }

  /** Claimed at a time. */
  get #block(): number {
    const soon = Math.max(fewest, Math.ceil(this.#rate * ahead))
    return Math.min(soon, Math.max(1, Math.floor(this.#left * share)))
  }

  /** Until there is one for each visit that begins, or none is left. */
  async #claim(): Promise<void> {
    const { clock } = this.#parts
    while (this.#stored.day !== this.#day || this.#needed > this.#granted) {
      // Nothing is left: asked again after a while, since others give back what they do not need.
      if (this.#left === 0 && clock.now() - this.#wroteAt < askAgain) return
      if (this.#writing === undefined) void this.#alone(() => this.#claimBlock()).catch(() => {})
      await this.#writing
    }
  }

  /** One write at a time. */
  #alone(write: () => Promise<void>): Promise<void> {
    this.#writing = write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #claimBlock(): Promise<void> {
    const { clock, claimEvery = 0.5 } = this.#parts
    const wait = Math.min(claimEvery, this.#wroteAt + claimEvery - clock.now())
    if (wait > 0) await clock.sleep(wait)
    const stored = of(this.#stored, this.#day)
    const wanted = Math.max(Math.min(this.#needed - stored, this.#left), this.#block)
    // With nothing left it only asks, and takes back what it asked for in vain.
    const isNewDay = this.#stored.day !== this.#day
    await this.#write(this.#left > 0 ? wanted : isNewDay ? 0 : this.#granted - stored)
  }

  async #write(more: number): Promise<void> {
    const { gate, clock, add } = this.#parts
    const day = this.#day
    const now = clock.now()
    this.#measure(now)
    this.#wroteAt = now
    // Before the store answers: what is claimed meanwhile must not be told twice.
    const kept = this.#stored.day === day ? this.#granted : 0
    const stored = { day, requests: of(this.#stored, day) + more }
    this.#stored = stored
    // What is given back is no longer ours, whatever becomes of the answer.
    this.#allow(day, Math.min(kept, stored.requests))
    this.#all = await add({ day, requests: more })
    const { requestsPerDay: most } = gate.politeness
    const over = Math.max(0, of(this.#all, day) - (most ?? Infinity))
    this.#allow(day, more > 0 ? stored.requests - Math.min(over, more) : this.#granted)
    gate.countOthers({
      day: this.#all.day,
      requests: Math.max(0, this.#all.requests - stored.requests),
    })
  }

  #allow(day: number, requests: number): void {
    this.#granted = requests
    this.#parts.gate.allow({ day, requests }, this.#more)
  }

  #measure(now: UnixSeconds): void {
    const made = of(this.#parts.gate.ours, this.#day)
    const time = now - this.#wroteAt
    if (time > 0 && time < Infinity) this.#rate = Math.max(0, made - this.#madeThen) / time
    this.#madeThen = made
  }
}

function of(count: DayCount, day: number): number {
  return count.day === day ? count.requests : 0
}
