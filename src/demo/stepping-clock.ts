import type { Clock, Seconds, UnixSeconds } from '../model/index.js'

interface Sleeper {
  readonly until: UnixSeconds
  readonly wake: () => void
}

/**
 * A clock for a web and all that follow it in one process, on which time
 * passes only while everybody waits: requests take none, however slow the
 * machine, and months take as long as their requests. When as many sleep as
 * `actors` says there are, it steps to the first that wants to wake.
 */
export class SteppingClock implements Clock {
  readonly #sleepers = new Set<Sleeper>()
  #now: UnixSeconds
  /** How many would have to sleep for nothing to happen: loops, and visits under way. */
  actors: () => number = () => 1

  constructor({ start }: { readonly start: UnixSeconds }) {
    this.#now = start
  }

  now(): UnixSeconds {
    return this.#now
  }

  sleep(duration: Seconds, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || !(duration > 0)) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper = { until: this.#now + duration, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', wake, { once: true })
      this.look()
    })
  }

  /** Steps on if everybody sleeps; to be called when an actor has left. */
  look(): void {
    // What just happened may still wake somebody in this turn.
    setImmediate(() => setImmediate(() => this.#step()))
  }

  #step(): void {
    if (this.#sleepers.size === 0 || this.#sleepers.size < this.actors()) return
    let first = Infinity
    for (const { until } of this.#sleepers) first = Math.min(first, until)
    this.#now = Math.max(this.#now, first)
    for (const sleeper of [...this.#sleepers]) if (sleeper.until <= this.#now) sleeper.wake()
  }
}
