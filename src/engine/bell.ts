import type { Clock, Seconds } from '../model/index.js'

/** Wakes one who waits. It stays rung until it is hushed, so that no ring is missed in between. */
export class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  hush(): void {
    this.#rung = false
    this.#wake = undefined
  }

  /** Resolves at the next ring; at once if it is rung. */
  heard(): Promise<void> {
    if (this.#rung) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** The same, for so long at most, or until the signal. */
  async heardWithin(
    wait: Seconds,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const stop = new AbortController()
    const stopped = () => stop.abort()
    signal?.addEventListener('abort', stopped, { once: true })
    if (signal?.aborted) stop.abort()
    await Promise.race([clock.sleep(wait, stop.signal), this.heard()])
    stop.abort()
    signal?.removeEventListener('abort', stopped)
  }
}
