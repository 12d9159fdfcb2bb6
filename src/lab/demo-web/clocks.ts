import { OptionError } from '../../model/errors.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'

/** 115 days a second: beyond it, walking the pages' changes would take all the time there is. */
const fastest = 1e7
/** A timer's longest wait; beyond it Node fires at once. */
const longestTimer = 2 ** 31 - 1

/**
 * A clock that runs `speed` times as fast as the wall clock, from `start` on.
 * It follows the monotonic clock, so it never steps back.
 */
export function fastClock({
  speed,
  start,
  wall = () => performance.now() / 1000,
}: {
  readonly speed: number
  readonly start: UnixSeconds
  /** Real seconds from any origin on. */
  readonly wall?: () => Seconds
}): Clock {
  checkSpeed(speed)
  const began = wall()
  const now = () => start + (wall() - began) * speed
  return {
    now,
    async sleep(duration, signal) {
      const until = now() + duration
      for (let left = duration; left > 0 && !signal?.aborted; left = until - now())
        await pause(Math.min(longestTimer, (left / speed) * 1000), signal)
    },
  }
}

/** A fast clock that stands at its start until it is released: for what must be ready before time passes. */
export class HeldClock implements Clock {
  readonly #options: { readonly speed: number; readonly start: UnixSeconds }
  readonly #waiting: (() => void)[] = []
  #running: Clock | undefined

  constructor(options: { readonly speed: number; readonly start: UnixSeconds }) {
    checkSpeed(options.speed)
    this.#options = options
  }

  now(): UnixSeconds {
    return this.#running?.now() ?? this.#options.start
  }

  async sleep(duration: Seconds, signal?: AbortSignal): Promise<void> {
    if (this.#running === undefined && duration > 0)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
        signal?.addEventListener('abort', () => resolve(), { once: true })
        if (signal?.aborted) resolve()
      })
    await this.#running?.sleep(duration, signal)
  }

  /** From now on time passes; once is enough. */
  release(): void {
    this.#running ??= fastClock(this.#options)
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function checkSpeed(speed: number): void {
  if (speed > 0 && speed <= fastest) return
  throw new OptionError(
    'bad-speed',
    `speed is ${speed}, but it must be above 0 and at most ${fastest}: give demo seconds per real second, such as 8640`,
  )
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}

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
      this.wakeDue()
    })
  }

  /** Steps on if everybody sleeps; to be called when an actor has left. */
  wakeDue(): void {
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
