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
}
