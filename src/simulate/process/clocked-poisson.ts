import type { RandomSource, Timeline, UnixSeconds } from '../../model/index.js'
import { poissonCount } from '../../numeric/index.js'

/**
 * A clock that ticks once an expected change: seen on it, any Poisson process
 * has rate 1. `expected` never falls; `time` is its inverse.
 */
export interface ChangeClock {
  /** Changes expected up to a time, from some fixed origin on. */
  expected(at: UnixSeconds): number
  time(expected: number): UnixSeconds
  /** Where the page's past begins: no change lies before; -Infinity if it has none. */
  readonly firstExpected: number
}

/**
 * A Poisson process whose rate varies in time, by transformation of time: the
 * leaps of the homogeneous process, on the clock. Exact, and an advance costs
 * a comparison if nothing changed, else at most four draws and three readings
 * of the clock.
 */
export class ClockedPoissonTimeline implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #clock: ChangeClock
  readonly #random: RandomSource
  #next: UnixSeconds
  #nextExpected: number

  /** The content age at the start looks back on the clock, as far as the page's past goes. */
  constructor({
    from,
    random,
    clock,
  }: {
    readonly from: UnixSeconds
    readonly random: RandomSource
    readonly clock: ChangeClock
  }) {
    this.#clock = clock
    this.#random = random
    const start = clock.expected(from)
    const last = Math.max(clock.firstExpected, start - random.exponential())
    this.lastChange = Math.min(from, clock.time(last))
    this.#nextExpected = start + random.exponential()
    this.#next = Math.max(from, clock.time(this.#nextExpected))
  }

  advance(to: UnixSeconds): boolean {
    if (this.#next <= to) return this.#leap(to)
    this.firstChange = Infinity
    this.changes = 0
    return false
  }

  /** Rounding on the clock may step out of the stretch by a hair; the bounds hold it inside. */
  #leap(to: UnixSeconds): true {
    const first = this.#next
    const random = this.#random
    const end = this.#clock.expected(to)
    const last = end - random.exponential()
    this.firstChange = first
    if (last > this.#nextExpected) {
      this.lastChange = Math.min(to, Math.max(first, this.#clock.time(last)))
      this.changes = 2 + poissonCount(random, last - this.#nextExpected)
    } else {
      this.lastChange = first
      this.changes = 1
    }
    this.#nextExpected = end + random.exponential()
    this.#next = Math.max(to, this.#clock.time(this.#nextExpected))
    return true
  }
}
