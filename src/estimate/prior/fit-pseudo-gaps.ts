import { OptionError } from '../../model/index.js'
import { type Annealed, anneal, type Random } from '../../numeric/index.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import type { GridPrior } from './grid-prior.js'
import {
  cellWidths,
  changeRateVariation,
  type PseudoGapReading,
  pseudoGapReach,
  pseudoGapWeights,
} from './pseudo-gap-law.js'

export interface FitPseudoGapsOptions {
  /** What holds before the pseudo-gaps are added; `log-period` unless said. */
  readonly reading?: PseudoGapReading
  /** The density compared: of the period (Figure 6) unless said, or of its logarithm or inverse. */
  readonly over?: PseudoGapReading
  /** Chains from different starts; 8 unless said. */
  readonly restarts?: number
  /** Steps a chain; 3000 unless said. */
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
