import { setMaxListeners } from 'node:events'
import type { Seconds } from '../../model/index.js'

/** A wait that ended before the answer came. */
export class TimeUp extends Error {
  constructor(what: string, limit: Seconds) {
    super(`${what} took longer than ${limit} s`)
  }
}

/**
 * The limits on time of one visit, as one signal: for the whole, for the first
 * byte of each hop, and the caller's own. Timers are those of the real clock,
 * since servers live by it. `end` must be called.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #whole: NodeJS.Timeout
  readonly #caller: AbortSignal | undefined
  readonly #cancel = () => this.#controller.abort(this.#caller?.reason)
  #hop: NodeJS.Timeout | undefined

  constructor({ wholeTime, caller }: { wholeTime: Seconds; caller?: AbortSignal | undefined }) {
    this.#caller = caller
    this.#whole = this.#timer(wholeTime, 'the visit')
    if (caller === undefined) return
    if (caller.aborted) this.#cancel()
    // Many visits share one signal to stop; Node would warn of the eleventh.
    setMaxListeners(0, caller)
    caller.addEventListener('abort', this.#cancel, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The next answer must begin within this time. */
  startHop(firstByteTime: Seconds): void {
    this.#hop = this.#timer(firstByteTime, 'the first byte')
  }

  hopBegan(): void {
    clearTimeout(this.#hop)
  }

  end(): void {
    clearTimeout(this.#whole)
    clearTimeout(this.#hop)
    this.#caller?.removeEventListener('abort', this.#cancel)
  }

  #timer(limit: Seconds, what: string): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(new TimeUp(what, limit)), limit * 1000)
  }
}
