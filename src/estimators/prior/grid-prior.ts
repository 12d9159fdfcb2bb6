import { OptionError } from '../../model/errors.js'
import { HOUR, type Seconds } from '../../model/units.js'

/**
 * A law of change periods as masses on a grid: what a page is likely to be
 * before, or after, it was visited. Periods ascend; masses sum to 1.
 */
export interface GridPrior {
  readonly periods: Float64Array
  readonly masses: Float64Array
}

/** Builds a GridPrior from any weights, refusing a grid that does not ascend. */
export function gridPrior(periods: ArrayLike<number>, weights: ArrayLike<number>): GridPrior {
  if (periods.length === 0 || periods.length !== weights.length) {
    throw new OptionError(
      'bad-prior',
      'a prior needs as many weights as change periods, and one at least',
    )
  }
  let total = 0
  for (let i = 0; i < periods.length; i++) {
    const ascends = periods[i]! > (i === 0 ? 0 : periods[i - 1]!) && periods[i]! < Infinity
    if (!ascends)
      throw new OptionError(
        'bad-prior',
        'change periods of a prior are positive, finite and ascending',
      )
    if (!(weights[i]! >= 0))
      throw new OptionError('bad-prior', 'weights of a prior are zero or more')
    total += weights[i]!
  }
  if (!(total > 0 && total < Infinity)) {
    throw new OptionError('bad-prior', 'the weights of a prior must have a positive, finite sum')
  }
  return {
    periods: Float64Array.from(periods),
    masses: Float64Array.from(weights, (weight) => weight / total),
  }
}

/** Change periods equally likely on the logarithmic scale between two ends. */
export function logUniformPrior(range: {
  shortest: number
  longest: number
  nodes?: number
}): GridPrior {
  const periods = logGrid(range)
  return gridPrior(periods, new Float64Array(periods.length).fill(1))
}

/** Grid points in equal ratios from `shortest` to `longest`. */
export function logGrid(range: {
  shortest: number
  longest: number
  nodes?: number
}): Float64Array {
  const nodes = range.nodes ?? 241
  if (!(range.shortest > 0 && range.longest > range.shortest && nodes >= 2)) {
    throw new OptionError('bad-prior', 'a grid needs 0 < shortest < longest and two nodes at least')
  }
  const ratio = Math.log(range.longest / range.shortest) / (nodes - 1)
  return Float64Array.from({ length: nodes }, (_, i) => range.shortest * Math.exp(i * ratio))
}

/** Every grid point stands for a cell; cells meet at geometric midpoints. Edges in log periods, one more than points. */
export function cellEdges({ periods }: Pick<GridPrior, 'periods'>): Float64Array {
  const n = periods.length
  const logs = periods.map(Math.log)
  const edges = new Float64Array(n + 1)
  for (let i = 1; i < n; i++) edges[i] = (logs[i - 1]! + logs[i]!) / 2
  edges[0] = n > 1 ? 2 * logs[0]! - edges[1]! : logs[0]!
  edges[n] = n > 1 ? 2 * logs[n - 1]! - edges[n - 1]! : logs[0]!
  return edges
}

/** The period below which the share p of the mass lies. */
export function periodQuantile(prior: GridPrior, p: number): number {
  const edges = cellEdges(prior)
  let below = 0
  for (let i = 0; i < prior.masses.length; i++) {
    const mass = prior.masses[i]!
    if (mass > 0 && below + mass >= p) {
      const share = Math.min(1, Math.max(0, (p - below) / mass))
      return Math.exp(edges[i]! + share * (edges[i + 1]! - edges[i]!))
    }
    below += mass
  }
  return Math.exp(edges[edges.length - 1]!)
}

export type Summary = 'mean' | 'median' | 'mode'

/**
 * One number for the whole law: mean, median or mode of the change period, or
 * of the change rate (given as its inverse). The median is the same for both.
 * The mode is the peak of the density of the variable asked for.
 */
export function typicalPeriod(
  prior: GridPrior,
  choice: { summary: Summary; of: 'period' | 'rate' },
): number {
  const { periods, masses } = prior
  if (choice.summary === 'median') return periodQuantile(prior, 0.5)
  if (choice.summary === 'mode') return densestPeriod(prior, choice.of)
  let total = 0
  for (let i = 0; i < periods.length; i++) {
    total += masses[i]! * (choice.of === 'period' ? periods[i]! : 1 / periods[i]!)
  }
  return choice.of === 'period' ? total : 1 / total
}

function densestPeriod(prior: GridPrior, of: 'period' | 'rate'): number {
  const edges = cellEdges(prior)
  let best = 0
  let peak = -1
  for (let i = 0; i < prior.masses.length; i++) {
    const width =
      of === 'period'
        ? Math.exp(edges[i + 1]!) - Math.exp(edges[i]!)
        : Math.exp(-edges[i]!) - Math.exp(-edges[i + 1]!)
    const density = width > 0 ? prior.masses[i]! / width : prior.masses[i]!
    if (density > peak) {
      peak = density
      best = i
    }
  }
  return prior.periods[best]!
}

/** More nodes than this is a slip of units, not a grid. */
const mostNodes = 1_000_000

/**
 * Change periods at equal steps of one hour, or `step`, up to `longest`: the
 * grid on which Grimes & Ford (4.3) take the posterior. `posteriorOf` works on
 * it as on any grid; a grid in equal ratios (`logGrid`) says as much with far
 * fewer nodes.
 */
export function hourlyGrid(range: {
  readonly longest: Seconds
  readonly step?: Seconds
}): Float64Array {
  const step = range.step ?? HOUR
  const nodes = Math.floor((range.longest / step) * (1 + 1e-12))
  if (!(step > 0 && nodes >= 1 && nodes <= mostNodes)) {
    throw new OptionError(
      'bad-prior',
      `a grid at equal steps needs 0 < step <= longest and at most ${mostNodes} steps; got step ${step}, longest ${range.longest}`,
    )
  }
  return Float64Array.from({ length: nodes }, (_, i) => (i + 1) * step)
}
