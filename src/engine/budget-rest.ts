import type { Clock, Seconds, UnixSeconds } from '../model/index.js'

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
