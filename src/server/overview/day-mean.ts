import { DAY, HOUR, type UnixSeconds } from '../../model/index.js'

/**
 * The mean of a value over about the last day: what lies a day back counts a
 * third of what is now. Freshness moves with the hours; its mean does not.
 */
export class DayMean {
  #sum = 0
  #weight = 0
  #at: UnixSeconds | null = null

  /** The mean with one more value; the one before held until now. */
  with(value: number, at: UnixSeconds): number {
    const passed = this.#at === null ? HOUR : Math.max(0, at - this.#at)
    const kept = Math.exp(-passed / DAY)
    this.#sum = kept * this.#sum + (1 - kept) * value
    this.#weight = kept * this.#weight + (1 - kept)
    this.#at = at
    return this.#sum / this.#weight
  }
}
