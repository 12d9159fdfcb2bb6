import type { LikelihoodTable } from './likelihood-table.js'

export interface MixtureOptions {
  /** Masses to start from, all positive; equal unless said. */
  readonly start?: Float64Array
  /** Pages' worth of belief added to each node before any page is counted (Dirichlet); none unless said. */
  readonly pseudoCounts?: Float64Array
  /**
   * Stops once no node would gain more than this per page; 1e-3 unless said.
   * That takes some hundred rounds; 1e-6 takes many thousands, and the masses
   * it moves are ones that the pages hardly tell apart.
   */
  readonly tolerance?: number
  /** Gives up after this many rounds; 2000 unless said. */
  readonly rounds?: number
}

export interface MixtureFit {
  readonly masses: Float64Array
  /** The objective after each round, the start's first: log-likelihood plus pseudo-counts' share. Never falls. */
  readonly path: readonly number[]
  /**
   * Largest over nodes of the mean of likelihood over mixture, which is 1 at
   * the maximum. The log-likelihood is at most pages x (gradient - 1) below it.
   */
  readonly gradient: number
  readonly converged: boolean
}

/**
 * The masses on a grid under which the pages together are most likely: EM for
 * the nonparametric maximum-likelihood mixture, with or without pseudo-counts.
 *
 * EM creeps once it is near, so every pair of rounds is extrapolated along its
 * own path in log masses (SQUAREM); a leap that would lower the objective is
 * not taken. Three passes over the table, O(rows x nodes) each, a round.
 *
 * Laird 1978; Lindsay 1983 (the gradient); Varadhan & Roland 2008 (SQUAREM).
 */
export function fitMixture(table: LikelihoodTable, options: MixtureOptions = {}): MixtureFit {
  const { tolerance = 1e-3, rounds = 2000 } = options
  const nodes = table.grid.length
  const em = new EmStep(table, options.pseudoCounts ?? new Float64Array(nodes))
  let here = em.from(normalised(options.start ?? new Float64Array(nodes).fill(1)))
  const path = [here.objective]
  while (here.gradient > 1 + tolerance && path.length <= rounds) {
    const once = em.from(here.next)
    const twice = em.from(once.next)
    const leap = em.from(leapt(here.masses, once.masses, twice.masses))
    here = leap.objective >= twice.objective ? leap : twice
    path.push(here.objective)
  }
  const { masses, gradient } = here
  return { masses, path, gradient, converged: gradient <= 1 + tolerance }
}

interface Round {
  readonly masses: Float64Array
  readonly objective: number
  readonly gradient: number
  /** Where EM goes from here. */
  readonly next: Float64Array
}

class EmStep {
  readonly #table: LikelihoodTable
  readonly #pseudoCounts: Float64Array
  readonly #weight: number

  constructor(table: LikelihoodTable, pseudoCounts: Float64Array) {
    this.#table = table
    this.#pseudoCounts = pseudoCounts
    this.#weight = table.rows + pseudoCounts.reduce((total, each) => total + each, 0)
  }

  /** One pass over the table: the objective here, its gradient, and the next masses. */
  from(masses: Float64Array): Round {
    const { values, rows, peaks } = this.#table
    const nodes = masses.length
    const pulls = new Float64Array(nodes)
    let objective = 0
    for (let row = 0, at = 0; row < rows; row++, at += nodes) {
      let mixed = 0
      for (let node = 0; node < nodes; node++) mixed += masses[node]! * values[at + node]!
      objective += Math.log(mixed) + peaks[row]!
      const share = 1 / mixed
      for (let node = 0; node < nodes; node++) pulls[node]! += values[at + node]! * share
    }
    return this.#finish(masses, { pulls, objective })
  }

  #finish(masses: Float64Array, seen: { pulls: Float64Array; objective: number }): Round {
    const next = new Float64Array(masses.length)
    let { objective } = seen
    let gradient = this.#weight > 0 ? 0 : 1
    for (let node = 0; node < masses.length; node++) {
      const counts = this.#pseudoCounts[node]!
      if (counts > 0) objective += counts * Math.log(masses[node]!)
      const pull = seen.pulls[node]! + (counts > 0 ? counts / masses[node]! : 0)
      next[node] = this.#weight > 0 ? (masses[node]! * pull) / this.#weight : masses[node]!
      if (this.#weight > 0) gradient = Math.max(gradient, pull / this.#weight)
    }
    return { masses, objective, gradient, next: normalised(next) }
  }
}

/** Below this a node is out of the mixture for good; kept above zero, so that it could come back. */
const least = 1e-280

/** The SQUAREM leap, third scheme: step length from the first two differences. */
function leapt(zero: Float64Array, one: Float64Array, two: Float64Array): Float64Array {
  let first = 0
  let second = 0
  for (let i = 0; i < zero.length; i++) {
    const r = Math.log(one[i]! / zero[i]!)
    const v = Math.log(two[i]! / one[i]!) - r
    const weight = two[i]!
    first += weight * r * r
    second += weight * v * v
  }
  const step = second > 0 ? Math.max(1, Math.sqrt(first / second)) : 1
  const out = new Float64Array(zero.length)
  for (let i = 0; i < zero.length; i++) {
    const r = Math.log(one[i]! / zero[i]!)
    const v = Math.log(two[i]! / one[i]!) - r
    out[i] = zero[i]! * Math.exp(Math.min(600, 2 * step * r + step * step * v))
  }
  return normalised(out)
}

function normalised(weights: Float64Array): Float64Array {
  let total = 0
  for (const each of weights) total += each
  return weights.map((each) => Math.max(least, each / total))
}
