import type { Store } from '../../model/store.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import { systemClock } from '../system-clock.js'

/** To begin with, a comparison that is as close as this is tried for so often. */
const closeEnough: Seconds = 0.05
const mostTries = 5
/** How far two clocks drift apart in a second, at most. */
const drift = 1e-4

/**
 * The clock of all processes on a store. Leases, holds and the delays of hosts
 * are written by one machine and read by another: where the store has a clock
 * of its own, all go by it, whatever their machines say. It is asked for the
 * difference now and then; without one of its own, the machine's is the clock.
 */
export class StoreClock implements Clock {
  readonly #clock: Clock
  #ahead: Seconds = 0
  /** By how much that may be wrong, and when it was found out. */
  #error: Seconds = Infinity
  #comparedAt: UnixSeconds = 0

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Whether it is a machine's, by which other processes may be at work too; a virtual one is nobody else's. */
  get isReal(): boolean {
    return this.#clock === systemClock
  }

  /** By how much the store's clock is ahead of the machine's. */
  get ahead(): Seconds {
    return this.#ahead
  }

  now(): UnixSeconds {
    return this.#clock.now() + this.#ahead
  }

  sleep(duration: Seconds, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(duration, signal)
  }

  /** Compares it with the store's. */
  async follow(store: Pick<Store, 'now'>): Promise<void> {
    const most = this.#error === Infinity ? mostTries : 1
    for (let tries = 0; tries < most; tries++) {
      if (!(await this.#compared(store)) || this.#error <= closeEnough) return
    }
  }

  /**
   * The store's answer was made somewhere between question and return: what is
   * found is wrong by no more than half of that time, which is long where this
   * process stood still meanwhile. The closer of two findings is kept, unless
   * they cannot both be right: then a clock was set. False where the store has
   * no clock.
   */
  async #compared(store: Pick<Store, 'now'>): Promise<boolean> {
    const began = this.#clock.now()
    const time = await store.now()
    if (time === null) return false
    const ended = this.#clock.now()
    // Set back in between, it says nothing.
    if (ended < began) return true
    const found = { ahead: time - (began + ended) / 2, error: (ended - began) / 2 }
    const known = this.#error + drift * Math.abs(ended - this.#comparedAt)
    const wasSet = Math.abs(found.ahead - this.#ahead) > found.error + known
    if (found.error > known && !wasSet) return true
    this.#ahead = found.ahead
    this.#error = found.error
    this.#comparedAt = ended
    return true
  }
}
