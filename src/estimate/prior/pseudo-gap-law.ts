import { OptionError } from '../../model/index.js'
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
export function cellWidths(periods: Float64Array, variable: PseudoGapReading): Float64Array {
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
export function pseudoGapWeights(
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

/** The coefficient of variation of the change rate that two pseudo-gaps make under a proper reading. */
export function pseudoGapVariation(
  { changed, unchanged }: PseudoGaps,
  { reading }: { readonly reading: 'rate' | 'log-period' },
): number {
  const excess = changed / unchanged
  const share = 1 / (1 + excess)
  if (reading === 'rate') return Math.hypot(1, share) / (1 + share)
  const square = (1 + 2 / excess) * Math.log1p(excess) - 1
  return excess < 1e-5 ? 1 : Math.sqrt(square)
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
