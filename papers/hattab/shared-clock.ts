import type { Clock, Seconds, UnixSeconds } from 'revisit/model'

/**
 * A clock for sites and crawler alike, on which time passes only while the
 * crawler waits for the next page: six months take as long as their requests.
 */
export class SharedClock implements Clock {
  #now: UnixSeconds
  /** While this holds, requests are under way, and they take no time. */
  busy: () => boolean = () => false

  constructor(start: UnixSeconds) {
    this.#now = start
  }

  now(): UnixSeconds {
    return this.#now
  }

  async sleep(duration: Seconds, signal?: AbortSignal): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.busy() && !signal?.aborted)
    if (!signal?.aborted) this.#now += duration
  }
}
