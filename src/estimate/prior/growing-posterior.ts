import type { Observation, Seconds } from '../../model/index.js'
import { type GridPrior, type Summary, typicalPeriod } from './grid-prior.js'

/**
 * The posterior of a page that grows visit by visit: one pass over the grid a
 * visit, nothing of the past kept. The number that `posteriorWith` gives for
 * the same gaps. Median of the change period unless said.
 */
export class GrowingPosterior {
  readonly #prior: GridPrior
  readonly #choice: { summary: Summary; of: 'period' | 'rate' }
  readonly #logMasses: Float64Array
  readonly #law: GridPrior

  constructor(
    prior: GridPrior,
    { summary = 'median', of = 'period' }: { summary?: Summary; of?: 'period' | 'rate' } = {},
  ) {
    this.#prior = prior
    this.#choice = { summary, of }
    this.#logMasses = prior.masses.map(Math.log)
    this.#law = { periods: prior.periods, masses: prior.masses.slice() }
  }

  see({ gap, changed }: Pick<Observation, 'gap' | 'changed'>): void {
    const { periods } = this.#prior
    for (let i = 0; i < periods.length; i++) {
      const expected = gap / periods[i]!
      this.#logMasses[i]! += changed ? Math.log(-Math.expm1(-expected)) : -expected
    }
  }

  changePeriod(): Seconds {
    return typicalPeriod(this.law(), this.#choice)
  }

  /** The law now; the prior where the visits contradict every node. Overwritten by the next call. */
  law(): GridPrior {
    const { masses } = this.#law
    let peak = -Infinity
    for (const each of this.#logMasses) peak = Math.max(peak, each)
    if (peak === -Infinity) return this.#prior
    let total = 0
    for (let i = 0; i < masses.length; i++)
      total += masses[i] = Math.exp(this.#logMasses[i]! - peak)
    for (let i = 0; i < masses.length; i++) masses[i]! /= total
    return this.#law
  }
}
