import type { Store } from '../model/store.js'
import type { Clock, Seconds, UnixSeconds } from '../model/units.js'
import { systemClock } from './system-clock.js'

/** The store's answer counts for the middle of a call; one that took longer says too little. */
const slowest: Seconds = 2

/**
 * The clock of all processes on a store. Leases, holds and the delays of hosts
 * are written by one machine and read by another: where the store has a clock
 * of its own, all go by it, whatever their machines say. It is asked for the
 * difference now and then; without one of its own, the machine's is the clock.
 */
export class StoreClock implements Clock {
  readonly #clock: Clock
  #ahead: Seconds = 0
  #asked = false

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
    const began = this.#clock.now()
    const time = await store.now()
    if (time === null) return
    const ended = this.#clock.now()
    const isClear = ended >= began && ended - began <= slowest
    if (isClear || !this.#asked) this.#ahead = time - (began + ended) / 2
    this.#asked = true
  }
}
