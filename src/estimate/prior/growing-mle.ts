import type { Observation, Seconds } from '../../model/index.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import { mostLikelyRate } from '../rate/likelihood.js'

/**
 * The irregular MLE of a page that grows visit by visit, with the papers'
 * substitutes: all time sampled while nothing changed, the shortest gap while
 * everything did. The number that `irregularMle` gives for the same gaps,
 * without building a History or bounds each time.
 *
 * Before any visit it is the first period given, or what the pseudo-gaps say.
 */
export class GrowingMle {
  #hidden = new Float64Array(8)
  #hiddenCount = 0
  #exposure = 0
  #shortest = Infinity
  #sampled = 0
  readonly #firstPeriod: Seconds

  constructor({
    firstPeriod = Number.NaN,
    pseudoGaps,
  }: { firstPeriod?: Seconds; pseudoGaps?: PseudoGaps } = {}) {
    this.#firstPeriod = firstPeriod
    if (pseudoGaps === undefined) return
    this.see({ gap: pseudoGaps.changed, changed: true })
    this.see({ gap: pseudoGaps.unchanged, changed: false })
  }

  get changes(): number {
    return this.#hiddenCount
  }

  get unchangedTime(): Seconds {
    return this.#exposure
  }

  see({ gap, changed }: Pick<Observation, 'gap' | 'changed'>): void {
    this.#sampled += gap
    this.#shortest = Math.min(this.#shortest, gap)
    if (changed) this.#hide(gap)
    else this.#exposure += gap
  }

  changePeriod(): Seconds {
    if (this.#sampled === 0) return this.#firstPeriod
    if (this.#hiddenCount === 0) return this.#sampled
    if (this.#exposure === 0) return this.#shortest
    const hidden = this.#hidden.subarray(0, this.#hiddenCount)
    return 1 / mostLikelyRate({ events: 0, exposure: this.#exposure, hidden })
  }

  #hide(gap: Seconds): void {
    if (this.#hiddenCount === this.#hidden.length) {
      const wider = new Float64Array(2 * this.#hidden.length)
      wider.set(this.#hidden)
      this.#hidden = wider
    }
    this.#hidden[this.#hiddenCount++] = gap
  }
}
