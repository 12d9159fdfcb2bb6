import {
  autoLearner,
  chanceOfChange,
  type GridPrior,
  type GroupLaw,
  logUniformPrior,
  typicalPeriod,
} from '../../estimate/index.js'
import type { Learner, Seconds, Seen, UnixSeconds } from '../../model/index.js'

/** Someone who gives a chance before each visit, and remembers what it saw in a few numbers. */
export interface Forecaster {
  readonly name: string
  readonly size: number
  start(memory: Float64Array, contentAge: Seconds): void
  learn(memory: Float64Array, seen: Seen): void
  chance(memory: Float64Array, next: { at: UnixSeconds; gap: Seconds }): number
}

/** A learner's change period, with changes taken to be Poisson; 1/2 while it has none to give. */
export function poissonForecaster(learner: Learner): Forecaster {
  return {
    name: learner.name,
    size: learner.size,
    start: (memory, contentAge) => learner.start(memory, contentAge),
    learn: (memory, seen) => learner.learn(memory, seen),
    chance(memory, { gap }) {
      const changePeriod = learner.changePeriod(memory)
      return changePeriod > 0 ? -Math.expm1(-gap / changePeriod) : 0.5
    },
  }
}

/** The default, with the law of a group and its clock. */
export function autoForecaster(law: GroupLaw): Forecaster {
  const learner = autoLearner({ law })
  return {
    name: learner.name,
    size: learner.size,
    start: (memory, contentAge) => learner.start(memory, contentAge),
    learn: (memory, seen) => learner.learn(memory, seen),
    chance: (memory, next) =>
      chanceOfChange(learner.belief(memory), learner.clockGap(memory, next)),
  }
}

const counts = {
  size: 2,
  start(memory: Float64Array): void {
    memory.fill(0)
  },
  learn(memory: Float64Array, { changed }: Seen): void {
    memory[0]! += 1
    if (changed) memory[1]! += 1
  },
}

/**
 * The estimator `posterior` at equal gaps, where only the number of gaps and of
 * changes count: the median of the change period under the wide prior that it
 * takes for so long a log. O(241) a visit.
 */
export function widePosteriorForecaster(gap: Seconds): Forecaster {
  const tables = new Map<number, PoissonTable>()
  const tableFor = (visits: number) => {
    const range = { shortest: gap / 100, longest: 100 * visits * gap }
    const made = tables.get(visits) ?? new PoissonTable(logUniformPrior(range), gap)
    tables.set(visits, made)
    return made
  }
  return {
    name: 'posterior',
    ...counts,
    chance(memory) {
      const [visits, changes] = [memory[0]!, memory[1]!]
      if (visits === 0) return 0.5
      const law = tableFor(visits).after({ visits, changes })
      return -Math.expm1(-gap / typicalPeriod(law, { summary: 'median', of: 'period' }))
    },
  }
}

/** A posterior over Poisson pages from a learned prior: the chance itself, averaged over what is believed. */
export function posteriorForecaster(prior: GridPrior, gap: Seconds): Forecaster {
  const table = new PoissonTable(prior, gap)
  return {
    name: 'posterior-with-prior',
    ...counts,
    chance(memory) {
      const { masses } = table.after({ visits: memory[0]!, changes: memory[1]! })
      let total = 0
      for (let i = 0; i < masses.length; i++) total += masses[i]! * table.stirred[i]!
      return total
    },
  }
}

/** A prior with, for each of its change periods, the chances of one gap. */
class PoissonTable {
  readonly stirred: Float64Array
  readonly #prior: GridPrior
  readonly #logPrior: Float64Array
  readonly #logStirred: Float64Array
  readonly #expected: Float64Array
  readonly #law: GridPrior

  constructor(prior: GridPrior, gap: Seconds) {
    this.#prior = prior
    this.#logPrior = prior.masses.map(Math.log)
    this.#expected = prior.periods.map((period) => gap / period)
    this.stirred = this.#expected.map((each) => -Math.expm1(-each))
    this.#logStirred = this.stirred.map(Math.log)
    this.#law = { periods: prior.periods, masses: new Float64Array(prior.masses.length) }
  }

  /** The law after so many gaps; overwritten by the next call. */
  after({ visits, changes }: { visits: number; changes: number }): GridPrior {
    const { masses } = this.#law
    let peak = -Infinity
    for (let i = 0; i < masses.length; i++) {
      masses[i] =
        this.#logPrior[i]! +
        (changes > 0 ? changes * this.#logStirred[i]! : 0) -
        (visits - changes) * this.#expected[i]!
      peak = Math.max(peak, masses[i]!)
    }
    if (peak === -Infinity) return this.#prior
    let total = 0
    for (let i = 0; i < masses.length; i++) total += masses[i] = Math.exp(masses[i]! - peak)
    for (let i = 0; i < masses.length; i++) masses[i]! /= total
    return this.#law
  }
}
