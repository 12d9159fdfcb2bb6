import { type History, MINUTE, YEAR } from '../../model/index.js'
import { type GridPrior, logGrid } from './grid-prior.js'
import { type LikelihoodTable, likelihoodTable } from './likelihood-table.js'
import { fitMixture, type MixtureFit } from './mixture-em.js'

export interface LearnOptions {
  /** Change periods the law may have; 121 in equal ratios around what the visits can tell unless said. */
  readonly grid?: Float64Array
  /** Stops once no node would gain more than this per page; 1e-3 unless said. */
  readonly tolerance?: number
  /** Gives up after this many rounds; 2000 unless said. */
  readonly rounds?: number
}

export interface LearnedPrior {
  readonly prior: GridPrior
  /** Pages that told something; the law is equal masses where there was none. */
  readonly pages: number
  /** Pages without an observation or a content age. */
  readonly silent: number
  /** Pages that no period of the grid can explain. */
  readonly unexplained: number
  /** Of all pages together under the law, up to a constant. */
  readonly logLikelihood: number
  /**
   * The log-likelihood is at most pages x (gradient - 1) below the greatest
   * there is; for a group, both with the whole's pages' worth counted in.
   */
  readonly gradient: number
  readonly rounds: number
  readonly converged: boolean
}

/**
 * What pages of a collection are like, learned from their histories as they
 * are: short, censored, with or without changes. The nonparametric
 * maximum-likelihood law of change periods, on a grid, by EM.
 *
 * Beyond Grimes & Ford 4.2, which needs 25 changes a page and so sees no slow
 * pages. The maximum itself is a handful of spikes; the stop at 1e-3 leaves the
 * law smooth and costs each page less than 0.001 of log-likelihood.
 *
 * Robbins 1956; Laird 1978. O(pages x nodes) a round, 8 bytes a page and node.
 */
export function learnPrior(histories: Iterable<History>, options: LearnOptions = {}): LearnedPrior {
  const pages = [...histories]
  const table = likelihoodTable(pages, options.grid ?? gridFor(pages))
  return learned(table, fitMixture(table, options))
}

/** A fit with what it rests on. */
export function learned(table: LikelihoodTable, fit: MixtureFit): LearnedPrior {
  return {
    prior: { periods: table.grid, masses: fit.masses },
    pages: table.rows,
    silent: table.silent,
    unexplained: table.unexplained,
    logLikelihood: logLikelihoodUnder(table, fit.masses),
    gradient: fit.gradient,
    rounds: fit.path.length - 1,
    converged: fit.converged,
  }
}

/** Log-likelihood of all rows of a table under masses on its grid. */
export function logLikelihoodUnder({ values, rows, peaks }: LikelihoodTable, masses: Float64Array) {
  let total = 0
  for (let row = 0, at = 0; row < rows; row++, at += masses.length) {
    let mixed = 0
    for (let node = 0; node < masses.length; node++) mixed += masses[node]! * values[at + node]!
    total += Math.log(mixed) + peaks[row]!
  }
  return total
}

/**
 * From a tenth of the shortest gap to ten times the longest time sampled: the
 * range about which the visits can tell anything. With no visits, from a
 * minute to ten years.
 */
export function gridFor(histories: readonly History[]): Float64Array {
  let shortest = Infinity
  let longest = 0
  for (const { start, observations } of histories) {
    let sampled = start.contentAge ?? 0
    for (const { gap } of observations) {
      shortest = Math.min(shortest, gap)
      sampled += gap
    }
    if (start.contentAge) shortest = Math.min(shortest, start.contentAge)
    longest = Math.max(longest, sampled)
  }
  // Below that there is no room in a double for a grid.
  if (!(longest > 1e-200)) return logGrid({ shortest: MINUTE, longest: 10 * YEAR, nodes })
  const furthest = Math.min(longest, 1e300)
  const nearest = Math.max(shortest, furthest * 1e-12)
  return logGrid({ shortest: nearest / 10, longest: furthest * 10, nodes })
}

const nodes = 121
