/**
 * Something that is dear to make. When it is asked for and out of date it is
 * made again in the background, and the one before is given meanwhile. It is
 * good for some real milliseconds, and for many times as long as it took.
 */
export class Refreshed<T> {
  readonly #goodFor: (made: T, cost: number) => number
  #newest: T | undefined
  #making: Promise<T> | undefined
  #nextAt = 0

  /** How long one is good for, by what it took, in real milliseconds. */
  constructor(goodFor: (made: T, cost: number) => number) {
    this.#goodFor = goodFor
  }

  get newest(): T | undefined {
    return this.#newest
  }

  /** Has it made if it is time; the one under way, if any. A failure is for who waits for it. */
  refresh(make: () => Promise<T>): Promise<T> | undefined {
    if (this.#making === undefined && performance.now() >= this.#nextAt) {
      this.#making = this.#made(make).finally(() => {
        this.#making = undefined
      })
      this.#making.catch(() => undefined)
    }
    return this.#making
  }

  async #made(make: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const made = await make()
    const now = performance.now()
    this.#nextAt = now + this.#goodFor(made, now - began)
    this.#newest = made
    return made
  }
}
