import {
  type GridPrior,
  logUniformPrior,
  mixedMasses,
  typicalPeriod,
} from '../../estimate/index.js'
import type { Seconds, Seen } from '../../model/index.js'
import type { Forecaster, GroupForecaster } from './forecaster.js'
import { type Counts, PoissonTable } from './poisson-table.js'

const counting = {
  size: 2,
  start(memory: Float64Array): void {
    memory.fill(0)
  },
  learn(memory: Float64Array, { changed }: Seen): void {
    memory[0]! += 1
    if (changed) memory[1]! += 1
  },
}

function countsIn(memory: Float64Array): Counts {
  return { visits: memory[0]!, changes: memory[1]! }
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
    ...counting,
    chance(memory) {
      const counts = countsIn(memory)
      if (counts.visits === 0) return 0.5
      const law = tableFor(counts.visits).after(counts)
      return -Math.expm1(-gap / typicalPeriod(law, { summary: 'median', of: 'period' }))
    },
  }
}

/** A posterior over Poisson pages from a learned prior: the chance itself, averaged over what is believed. */
export function posteriorForecaster(prior: GridPrior, gap: Seconds): Forecaster {
  const table = new PoissonTable(prior, gap)
  return {
    name: 'posterior-with-prior',
    ...counting,
    chance: (memory) => table.chanceAfter(countsIn(memory)),
  }
}

/** How many pages' worth the first prior counts, and rounds of EM: as the default has it. */
const strength = 10
const rounds = 20

/** The same with what the default has besides: the prior of the group learned anew from the group's own visits. */
export function groupPosteriorForecaster(prior: GridPrior, gap: Seconds): GroupForecaster {
  let table = new PoissonTable(prior, gap)
  return {
    name: 'posterior-with-group-prior',
    ...counting,
    chance: (memory) => table.chanceAfter(countsIn(memory)),
    relearn(memories) {
      const rows = memories.map((memory) => table.likelihoods(countsIn(memory)))
      const { periods, masses: start } = table.prior
      const masses = mixedMasses(rows, { towards: prior.masses, strength, start, rounds })
      table = new PoissonTable({ periods, masses }, gap)
    },
  }
}
