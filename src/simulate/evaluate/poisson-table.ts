import type { GridPrior } from '../../estimate/index.js'
import type { Seconds } from '../../model/index.js'

/** All that equal gaps tell of a Poisson page. */
export interface Counts {
  readonly visits: number
  readonly changes: number
}

/** A prior over change periods with, for each of them, the chances of one gap. */
export class PoissonTable {
  readonly prior: GridPrior
  readonly #logPrior: Float64Array
  /** Chance of a change in a gap, its log, and changes expected in it. */
  readonly #stirred: Float64Array
  readonly #logStirred: Float64Array
  readonly #expected: Float64Array
  readonly #law: GridPrior

  constructor(prior: GridPrior, gap: Seconds) {
    this.prior = prior
    this.#logPrior = prior.masses.map(Math.log)
    this.#expected = prior.periods.map((period) => gap / period)
    this.#stirred = this.#expected.map((each) => -Math.expm1(-each))
    this.#logStirred = this.#stirred.map(Math.log)
    this.#law = { periods: prior.periods, masses: new Float64Array(prior.masses.length) }
  }

  /** The law after so many gaps; overwritten by the next call. */
  after(counts: Counts): GridPrior {
    const { masses } = this.#law
    let peak = -Infinity
    for (let i = 0; i < masses.length; i++) {
      masses[i] = this.#logPrior[i]! + this.#logLikelihood(i, counts)
      peak = Math.max(peak, masses[i]!)
    }
    if (peak === -Infinity) return this.prior
    let total = 0
    for (let i = 0; i < masses.length; i++) total += masses[i] = Math.exp(masses[i]! - peak)
    for (let i = 0; i < masses.length; i++) masses[i]! /= total
    return this.#law
  }

  /** Chance of a change in the next gap, averaged over the law after so many. */
  chanceAfter(counts: Counts): number {
    const { masses } = this.after(counts)
    let total = 0
    for (let i = 0; i < masses.length; i++) total += masses[i]! * this.#stirred[i]!
    return total
  }

  /** How likely so many gaps are by change period, whatever the prior; the likeliest 1. */
  likelihoods(counts: Counts): Float64Array {
    const logs = this.#expected.map((_, i) => this.#logLikelihood(i, counts))
    const peak = logs.reduce((a, b) => Math.max(a, b))
    return logs.map((each) => Math.exp(each - peak))
  }

  #logLikelihood(i: number, { visits, changes }: Counts): number {
    const calm = (visits - changes) * this.#expected[i]!
    return (changes > 0 ? changes * this.#logStirred[i]! : 0) - calm
  }
}
