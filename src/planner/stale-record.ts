import type { Seconds } from '../model/index.js'

/** Expected changes' worth for which predictions are taken to be right until a group's own record speaks. */
const trusted = 20
/** However bad the record, predictions are corrected no further. */
const [least, most] = [0.4, 3]

/**
 * How a group's predictions came out: each visit says whether the copy was
 * still fresh, and before it a chance of that was believed. Gaps weigh by
 * their length, since a long gap that ends stale was stale for long.
 */
export class StaleRecord {
  #found = 0
  #expected = 0
  #chances = 0

  /** A visit, with the chance that was given to a change before it. */
  note({ gap, changed, chance }: { gap: Seconds; changed: boolean; chance: number }): void {
    if (changed) this.#found += gap
    this.#expected += gap * chance
    this.#chances += chance
  }

  /** Stale time over predicted stale time; 1 where nothing is known. */
  get ratio(): number {
    if (!(this.#chances > 0)) return 1
    const prior = (trusted * this.#expected) / this.#chances
    const ratio = (this.#found + prior) / (this.#expected + prior)
    return Number(Math.min(most, Math.max(least, ratio)).toPrecision(6))
  }
}
