import { setMaxListeners } from 'node:events'
import type { Seconds } from '../../model/index.js'

/** A wait that ended before the answer came. */
export class TimeUp extends Error {
  constructor(what: string, limit: Seconds) {
    super(`${what} took longer than ${limit} s`)
  }
}

/**
 * The limits on time of one visit: for the whole, for the first byte of each
 * hop, and the caller's own signal. Whatever is under way hears of the first
 * that is reached. Timers are those of the real clock, since servers live by
 * it. `end` must be called. Not an AbortSignal: making one takes as long as a
 * fifth of a request.
 */
export class Deadline {
  readonly #whole: NodeJS.Timeout
  readonly #caller: AbortSignal | undefined
  readonly #cancel = () => this.#reached(this.#caller?.reason)
  #hop: NodeJS.Timeout | undefined
  #over = false
  #reason: unknown
  /** What to break off, with the reason; set by what is under way. */
  onReached: ((reason: unknown) => void) | undefined

  constructor({ wholeTime, caller }: { wholeTime: Seconds; caller?: AbortSignal | undefined }) {
    this.#caller = caller
    this.#whole = this.#timer(wholeTime, 'the visit')
    if (caller === undefined) return
    if (caller.aborted) this.#cancel()
    // Many visits share one signal to stop; Node would warn of the eleventh.
    setMaxListeners(0, caller)
    caller.addEventListener('abort', this.#cancel, { once: true })
  }

  /** Whether this error is the caller's calling off. */
  calledOff(error: unknown): boolean {
    return this.#over && error === this.#reason && !(error instanceof TimeUp)
  }

  throwIfReached(): void {
    if (this.#over) throw this.#reason
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
    return setTimeout(() => this.#reached(new TimeUp(what, limit)), limit * 1000)
  }

  #reached(reason: unknown): void {
    if (this.#over) return
    this.#over = true
    this.#reason = reason
    this.onReached?.(reason)
  }
}
