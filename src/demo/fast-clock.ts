import { type Clock, OptionError, type Seconds, type UnixSeconds } from '../model/index.js'

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

/** A fast clock that stands at its start until it is let go: for what must be ready before time passes. */
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
  letGo(): void {
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
