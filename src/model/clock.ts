import type { Seconds, UnixSeconds } from './units.js'

/** Time as an argument: the real one, a virtual one in tests, a fast one in the demo. */
export interface Clock {
  now(): UnixSeconds
  /** Resolves after a while, or at once when the signal fires. */
  sleep(duration: Seconds, signal?: AbortSignal): Promise<void>
}
