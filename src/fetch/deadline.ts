import { setMaxListeners } from 'node:events'
import type { Seconds } from '../model/units.js'

/** A wait that ended before the answer came. */
export class TimeUp extends Error {
  constructor(what: string, limit: Seconds) {
    super(`${what} took longer than ${limit} s`)
  }
}

/** A content that came too slowly. */
export class TooSlow extends Error {
  constructor(leastSpeed: number) {
    super(`the content came at less than ${leastSpeed} bytes a second`)
  }
}

/** Over which speed is measured, in milliseconds. */
const speedTime = 10_000

/**
 * The limits on time of one visit: for the whole, for the first byte of each
 * hop, and the caller's own signal. Whatever is under way is ended by the first
 * that is reached. Timers are those of the real clock, since servers live by
 * it; one at a time, since most visits end before any is due. `end` must be
 * called. Not an AbortSignal: making one takes as long as a fifth of a request.
 */
export class Deadline {
  readonly #wholeTime: Seconds
  /** Bytes a second. */
  readonly #leastSpeed: number
  /** Since when the speed is measured, in milliseconds, and what has come since. */
  #measuredFrom = 0
  #received = 0
  /** In milliseconds, as `performance.now` counts them. */
  #wholeEnd: number
  /** Since when its time stands still, if it does. */
  #pausedAt: number | undefined
  readonly #caller: AbortSignal | undefined
  /** Made where there is a caller's signal. */
  #cancel: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  /** The limit for the first byte, while it is waited for. */
  #firstByteTime: Seconds | undefined
  #over = false
  #reason: unknown
  /** What to break off, with the reason; set by what is under way. */
  onReached: ((reason: unknown) => void) | undefined

  constructor({
    wholeTime,
    caller,
    leastSpeed = 0,
  }: {
    readonly wholeTime: Seconds
    readonly caller?: AbortSignal | undefined
    /** Bytes a second of a content, over ten seconds; any by default. */
    readonly leastSpeed?: number
  }) {
    this.#caller = caller
    this.#leastSpeed = leastSpeed
    this.#wholeTime = wholeTime
    this.#wholeEnd = performance.now() + wholeTime * 1000
    if (caller === undefined) return
    const cancel = () => this.#reached(caller.reason)
    if (caller.aborted) cancel()
    // Many visits share one signal to stop; Node would warn of the eleventh.
    setMaxListeners(0, caller)
    caller.addEventListener('abort', cancel, { once: true })
    this.#cancel = cancel
  }

  /** Whether this error is the caller's calling off. */
  calledOff(error: unknown): boolean {
    return this.#over && error === this.#reason && !isOurs(error)
  }

  throwIfReached(): void {
    if (this.#over) throw this.#reason
  }

  /** The next answer must begin within this time. */
  startHop(firstByteTime: Seconds): void {
    clearTimeout(this.#timer)
    if (this.#pausedAt !== undefined) this.#wholeEnd += performance.now() - this.#pausedAt
    this.#pausedAt = undefined
    this.#firstByteTime = firstByteTime
    this.#waitFor(Math.min(firstByteTime * 1000, this.#left()))
  }

  /** Until the next hop no time is counted: what a host asks us to wait is not the server's slowness. */
  pause(): void {
    clearTimeout(this.#timer)
    this.#pausedAt = performance.now()
  }

  /** The timer goes on: should it be due before the end, the rest of the whole time is waited for then. */
  hopBegan(): void {
    this.#firstByteTime = undefined
    this.#measuredFrom = performance.now()
    this.#received = 0
  }

  /** Bytes of the content have come. */
  received(bytes: number): void {
    this.#received += bytes
  }

  end(): void {
    clearTimeout(this.#timer)
    if (this.#cancel !== undefined) this.#caller?.removeEventListener('abort', this.#cancel)
  }

  /** Of the whole time, in milliseconds. */
  #left(): number {
    return this.#wholeEnd - performance.now()
  }

  #waitFor(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#due(), Math.max(1, Math.ceil(milliseconds)))
  }

  #due(): void {
    const left = this.#left()
    if (left <= 0) this.#reached(new TimeUp('the visit', this.#wholeTime))
    else if (this.#firstByteTime === undefined) this.#measure(left)
    else this.#reached(new TimeUp('the first byte', this.#firstByteTime))
  }

  /** A content that comes in drops would hold its place until the whole time is up. */
  #measure(left: number): void {
    const over = performance.now() - this.#measuredFrom
    if (this.#leastSpeed > 0 && over >= speedTime) {
      if (this.#received < (this.#leastSpeed * over) / 1000) {
        this.#reached(new TooSlow(this.#leastSpeed))
        return
      }
      this.#measuredFrom = performance.now()
      this.#received = 0
    }
    const next = this.#measuredFrom + speedTime - performance.now()
    this.#waitFor(this.#leastSpeed > 0 ? Math.min(left, next) : left)
  }

  #reached(reason: unknown): void {
    if (this.#over) return
    this.#over = true
    this.#reason = reason
    this.onReached?.(reason)
  }
}

function isOurs(error: unknown): boolean {
  return error instanceof TimeUp || error instanceof TooSlow
}
