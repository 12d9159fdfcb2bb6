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
  if (!(speed > 0 && speed <= fastest))
    throw new OptionError(
      'bad-speed',
      `speed is ${speed}, but it must be above 0 and at most ${fastest}: give demo seconds per real second, such as 8640`,
    )
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
