import { type Observation, OptionError, type Seconds } from '../../model/index.js'
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

  constructor(start: { readonly firstPeriod: Seconds } | { readonly pseudoGaps: PseudoGaps }) {
    const told = 'pseudoGaps' in start ? Object.values(start.pseudoGaps) : [start.firstPeriod]
    if (!told.every((each) => each > 0 && each < Infinity)) {
      throw new OptionError('bad-start', `a new page starts from positive durations; got ${told}`)
    }
    this.#firstPeriod = told[0]!
    if (!('pseudoGaps' in start)) return
    this.see({ gap: start.pseudoGaps.changed, changed: true })
    this.see({ gap: start.pseudoGaps.unchanged, changed: false })
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
