import { setMaxListeners } from 'node:events'
import type { Clock } from '../model/units.js'

/** setTimeout holds no longer wait; a longer sleep is slept in pieces. */
const longestTimer = 2 ** 31 - 1

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  async sleep(duration, signal) {
    const until = performance.now() + duration * 1000
    for (;;) {
      const left = until - performance.now()
      if (!(left > 0) || signal?.aborted === true) return
      await timer(Math.min(left, longestTimer), signal)
    }
  },
}

function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(handle)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const handle = setTimeout(done, milliseconds)
    if (signal === undefined) return
    // Many sleepers share one signal to stop; Node would warn of the eleventh.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', done)
  })
}
