import { OptionError } from '../../model/errors.js'
import { type Annealed, anneal } from '../../numeric/anneal.js'
import type { Random } from '../../numeric/random.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import { cellEdges, type GridPrior, gridPrior } from './grid-prior.js'

/**
 * What holds before the two pseudo-gaps, c changed and u unchanged, are added:
 * that all change rates, all change periods, or all logarithms of periods are
 * equally likely. The paper does not say which.
 *
 * - `rate`: the law p(rate) ~ (1 - e^(-rate c)) e^(-rate u), turned into a law
 *   of the period with its Jacobian, 1 / period^2. Proper on its own.
 * - `period`: the same curve read as a density of the period, as a plot of the
 *   likelihood over periods (Figures 5 and 6) suggests. Falls like 1 / period,
 *   so it is a law only up to the grid's longest period.
 * - `log-period`: the same curve over the logarithm of the period. Proper, and
 *   it peaks where the MLE with these pseudo-gaps starts, in any unit of time.
 */
export type PseudoGapReading = 'rate' | 'period' | 'log-period'

/** The width of each cell of a grid in the variable of a reading. */
function cellWidths(periods: Float64Array, variable: PseudoGapReading): Float64Array {
  const edges = cellEdges({ periods })
  return periods.map((_, i) => {
    const [from, to] = [edges[i]!, edges[i + 1]!]
    if (variable === 'log-period') return to - from
    return variable === 'period' ? Math.exp(to) - Math.exp(from) : Math.exp(-from) - Math.exp(-to)
  })
}

/** The law of change periods that two pseudo-gaps stand for, on a grid. O(nodes). */
export function pseudoGapPrior(
  pseudoGaps: PseudoGaps,
  {
    grid,
    reading = 'log-period',
  }: { readonly grid: Float64Array; readonly reading?: PseudoGapReading },
): GridPrior {
  const weights = pseudoGapWeights(pseudoGaps, { grid, widths: cellWidths(grid, reading) })
  return gridPrior(grid, weights)
}

/**
 * Likelihood of the two pseudo-gaps times cell width, largest 1. In logarithms:
 * pseudo-gaps far longer than the grid would otherwise leave nothing.
 */
function pseudoGapWeights(
  { changed, unchanged }: PseudoGaps,
  { grid, widths }: { grid: Float64Array; widths: Float64Array },
): Float64Array {
  const weights = new Float64Array(grid.length)
  let peak = -Infinity
  for (let i = 0; i < grid.length; i++) {
    const perTime = 1 / grid[i]!
    weights[i] = Math.log(-Math.expm1(-changed * perTime) * widths[i]!) - unchanged * perTime
    peak = Math.max(peak, weights[i]!)
  }
  if (!Number.isFinite(peak)) {
    throw new OptionError(
      'bad-prior',
      'these pseudo-gaps leave no change period of the grid possible; use pseudo-gaps near its periods, and two nodes at least',
    )
  }
  for (let i = 0; i < weights.length; i++) weights[i] = Math.exp(weights[i]! - peak)
  return weights
}

/**
 * How wide a law two pseudo-gaps can make, whatever their lengths: the least
 * and most coefficient of variation (standard deviation over mean) of the
 * change rate, by reading. Under `rate` they make exactly the sum of two
 * exponentials with means 1 / u and 1 / (u + c): from Gamma(2), c short, to
 * exponential, c long. The other readings start at the exponential and have no
 * upper end. Collections of pages are usually wider than 1.
 */
export const pseudoGapReach: Readonly<Record<PseudoGapReading, { least: number; most: number }>> = {
  rate: { least: Math.SQRT1_2, most: 1 },
  period: { least: 1, most: Infinity },
  'log-period': { least: 1, most: Infinity },
}

/** Standard deviation over mean of the change rate under a law; 0 for a single node. */
export function changeRateVariation({ periods, masses }: GridPrior): number {
  let first = 0
  let second = 0
  const unit = periods[0]!
  for (let i = 0; i < periods.length; i++) {
    const relative = unit / periods[i]!
    first += masses[i]! * relative
    second += masses[i]! * relative * relative
  }
  return Math.sqrt(Math.max(0, second / (first * first) - 1))
}

export interface FitPseudoGapsOptions {
  /** What holds before the pseudo-gaps are added; `log-period` by default. */
  readonly reading?: PseudoGapReading
  /** The density compared: of the period (Figure 6) by default, or of its logarithm or inverse. */
  readonly over?: PseudoGapReading
  /** Chains from different starts; 8 by default. */
  readonly restarts?: number
  /** Steps a chain; 3000 by default. */
  readonly steps?: number
  readonly random: Random
}

export interface PseudoGapFit {
  readonly pseudoGaps: PseudoGaps
  /** L2 distance between the two densities, over the L2 norm of the law's own: 0 is a perfect fit. */
  readonly distance: number
  readonly restarts: number
  /** Restarts that came within 0.001 of the best distance: the more, the likelier the minimum is global. */
  readonly agreeing: number
  /**
   * How far the agreeing restarts lie apart: largest less smallest distance,
   * and the largest ratio of their gaps (far from 1, the law does not decide
   * that gap).
   */
  readonly spread: {
    readonly distance: number
    readonly changed: number
    readonly unchanged: number
  }
  readonly reading: PseudoGapReading
  /**
   * Whether two pseudo-gaps under this reading can be as wide as the law
   * (`pseudoGapReach`). Beyond reach a gap runs to the end of the search; under
   * `rate` pages then start at absurd periods: take another reading, or the
   * posterior.
   */
  readonly reach: 'within' | 'too-wide' | 'too-narrow'
  /** Standard deviation over mean of the law's change rate, which decides the reach. */
  readonly variation: number
}

/**
 * Any law far slower than the true one is at distance 1, like a flat one: a
 * wide basin that a chain much hotter than this stays in.
 */
const hot = 0.1
/** Beyond the grid's periods by this factor a changed gap tells no more, or no less. */
const margin = 10
/** Restarts that end this near to the best distance found the same minimum. */
const agreement = 1e-3

/**
 * The two pseudo-gaps, one changed and one unchanged, that stand for a law of
 * change periods best: least L2 distance between the density that they induce
 * and the law's, found by Metropolis-Hastings with simulated annealing over the
 * logarithms of the gaps, restarted from random places. Same seed, same answer.
 *
 * Densities are those of the change period on the law's own grid, as in Figure
 * 6, unless `over` says otherwise; the reading's Jacobian is in its cell
 * widths. `log-period` is the reading because the density over log periods
 * peaks exactly where the MLE starts: for lognormal periods (median 240 h,
 * sigma 1.3) new pages start within a median of 165 h of the truth, against
 * 203 h under `period` (hourly grid up to 25 days) and tens of thousands under
 * `rate`, which cannot be as wide as that law.
 *
 * Grimes & Ford 4.4. O(restarts x steps x nodes).
 */
export function fitPseudoGaps(prior: GridPrior, options: FitPseudoGapsOptions): PseudoGapFit {
  const { reading = 'log-period', over = 'period', restarts = 8, steps = 3000, random } = options
  if (prior.periods.length < 2 || !(restarts >= 1 && steps >= 1)) {
    throw new OptionError(
      'bad-fit',
      'needs a prior of two nodes, one restart and one step at least',
    )
  }
  const cost = distanceTo(prior, { reading, over })
  const [low, high] = searchBox(prior)
  const runs = Array.from({ length: restarts }, () => {
    const start = low.map((from, i) => from + random.uniform() * (high[i]! - from))
    return anneal({ cost, low, high, start, hot, steps, random })
  })
  const best = runs.reduce((least, each) => (each.cost < least.cost ? each : least))
  const agreeing = runs.filter((each) => each.cost <= best.cost + agreement)
  const variation = changeRateVariation(prior)
  return {
    pseudoGaps: gapsAt(best.point),
    distance: best.cost,
    restarts,
    agreeing: agreeing.length,
    spread: spreadOf(agreeing),
    reading,
    reach: reachOf(variation, reading),
    variation,
  }
}

/** Both densities are masses over cell widths, so the squared distance is the sum of (difference of masses)^2 / width. */
function distanceTo(
  { periods, masses }: GridPrior,
  { reading, over }: { reading: PseudoGapReading; over: PseudoGapReading },
): (point: Float64Array) => number {
  const widths = cellWidths(periods, reading)
  const across = cellWidths(periods, over)
  let norm = 0
  for (let i = 0; i < masses.length; i++) norm += masses[i]! ** 2 / across[i]!
  return (point) => {
    const weights = pseudoGapWeights(gapsAt(point), { grid: periods, widths })
    let total = 0
    for (let i = 0; i < weights.length; i++) total += weights[i]!
    let squares = 0
    for (let i = 0; i < weights.length; i++)
      squares += (weights[i]! / total - masses[i]!) ** 2 / across[i]!
    return Math.sqrt(squares / norm)
  }
}

function gapsAt(point: Float64Array): PseudoGaps {
  return { changed: Math.exp(point[0]!), unchanged: Math.exp(point[1]!) }
}

function searchBox({ periods }: GridPrior): [Float64Array, Float64Array] {
  const low = Math.log(periods[0]! / margin)
  const high = Math.log(periods[periods.length - 1]! * margin)
  return [Float64Array.of(low, low), Float64Array.of(high, high - Math.log(margin))]
}

function spreadOf(runs: readonly Annealed[]): PseudoGapFit['spread'] {
  const range = (of: (run: Annealed) => number) => {
    const values = runs.map(of)
    return Math.max(...values) - Math.min(...values)
  }
  return {
    distance: range((run) => run.cost),
    changed: Math.exp(range((run) => run.point[0]!)),
    unchanged: Math.exp(range((run) => run.point[1]!)),
  }
}

function reachOf(variation: number, reading: PseudoGapReading): PseudoGapFit['reach'] {
  const { least, most } = pseudoGapReach[reading]
  if (variation > most) return 'too-wide'
  return variation < least ? 'too-narrow' : 'within'
}
