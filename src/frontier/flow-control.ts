/** Of one stream: items, and bytes of them, that are not answered yet. */
const mostItems = 1_024
const mostBytes = 4 * 1024 * 1024
/** The same of all streams together. */
const mostBytesInAll = 128 * 1024 * 1024

/** What all streams hold in memory. */
export class HeldBytes {
  #bytes = 0
  readonly #paused = new Set<() => void>()

  get isFull(): boolean {
    return this.#bytes >= mostBytesInAll
  }

  add(bytes: number): void {
    this.#bytes += bytes
  }

  remove(bytes: number): void {
    this.#bytes -= bytes
    if (this.isFull) return
    const waiting = [...this.#paused]
    this.#paused.clear()
    for (const resume of waiting) resume()
  }

  whenFree(resume: () => void): void {
    this.#paused.add(resume)
  }

  forget(resume: () => void): void {
    this.#paused.delete(resume)
  }
}

/** A stream that can be held back. */
interface Source {
  pause(): unknown
  resume(): unknown
}

/**
 * Holds a client back by the flow control of its connection, instead of
 * keeping what it sends: an item counts until its answer has been taken by the
 * client's side of the connection, so that one who reads no answers is not
 * read from either.
 */
export class FlowControl {
  readonly #source: Source
  readonly #held: HeldBytes
  #items = 0
  #bytes = 0
  #isPaused = false
  readonly #resume = () => this.#check()

  constructor(source: Source, held: HeldBytes) {
    this.#source = source
    this.#held = held
  }

  get unanswered(): number {
    return this.#items
  }

  taken(items: number, bytes: number): void {
    this.#items += items
    this.#bytes += bytes
    this.#held.add(bytes)
    this.#check()
  }

  answered(items: number, bytes: number): void {
    this.#items -= items
    this.#bytes -= bytes
    this.#held.remove(bytes)
    this.#check()
  }

  /** The client is gone: what it has left is nobody's. */
  end(): void {
    this.#held.forget(this.#resume)
    this.#held.remove(this.#bytes)
    this.#bytes = 0
  }

  #check(): void {
    const own = this.#items >= mostItems || this.#bytes >= mostBytes
    const isFull = own || (this.#held.isFull && this.#items > 0)
    if (isFull && !own) this.#held.whenFree(this.#resume)
    if (isFull === this.#isPaused) return
    this.#isPaused = isFull
    if (isFull) this.#source.pause()
    else this.#source.resume()
  }
}
