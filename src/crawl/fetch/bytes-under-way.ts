/** New visits wait while contents under way hold so much. */
const usual = 128 * 1024 * 1024
/** A content that has grown to this may be given up where all of them hold twice as much. */
const large = 1024 * 1024

/**
 * Counts what all contents under way hold together, so that many large ones at
 * once do not take all memory: each has its own limit, and there may be
 * hundreds from slow servers.
 */
export class BytesUnderWay {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #bytes = 0

  constructor({ most = usual }: { readonly most?: number } = {}) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#bytes >= this.#most
  }

  /** Calls back when a visit may begin, at once where there is room; it calls `ended` once in the end. */
  whenRoom(begin: () => void): void {
    if (this.isFull) this.#waiting.push(begin)
    else begin()
  }

  /** Takes bytes that have come; false where a content of this size is to be given up. */
  take(bytes: number, size: number): boolean {
    this.#bytes += bytes
    return this.#bytes < 2 * this.#most || size < Math.min(large, this.#most / 8)
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }

  /** A visit has ended: one that waits takes its place, or two where there is much room. Not all: nobody knows yet what they bring. */
  ended(): void {
    for (let n = this.#bytes < this.#most / 2 ? 2 : 1; n > 0 && !this.isFull; n--)
      this.#waiting.shift()?.()
  }
}
