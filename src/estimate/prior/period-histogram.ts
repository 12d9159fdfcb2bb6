import { OptionError, type Seconds } from '../../model/index.js'
import { cellEdges, type GridPrior, gridPrior, logGrid } from './grid-prior.js'

export interface PeriodHistogram {
  readonly prior: GridPrior
  /** Periods shorter, or longer, than the grid's cells; counted in its end cells. */
  readonly outside: number
}

/**
 * The law of a set of change periods as shares of the grid's cells. A single
 * node has no width, and takes them all. O(n log nodes).
 */
export function periodHistogram(
  changePeriods: ArrayLike<Seconds>,
  { grid = gridAround(changePeriods) }: { readonly grid?: Float64Array } = {},
): PeriodHistogram {
  const edges = cellEdges({ periods: grid })
  const counts = new Float64Array(grid.length)
  let outside = 0
  for (let i = 0; i < changePeriods.length; i++) {
    const at = Math.log(changePeriods[i]!)
    if (!Number.isFinite(at)) {
      throw new OptionError(
        'bad-period',
        `change periods are positive and finite; got ${changePeriods[i]}`,
      )
    }
    if (at < edges[0]! || at > edges[grid.length]!) outside++
    counts[cellOf(edges, at)]!++
  }
  return { prior: gridPrior(grid, counts), outside }
}

/** The cell that holds a log period, the nearest one where none does. */
function cellOf(edges: Float64Array, at: number): number {
  let low = 0
  let high = edges.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (edges[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** A grid in equal ratios that holds all of them with a factor of two to spare. */
function gridAround(changePeriods: ArrayLike<Seconds>): Float64Array {
  let shortest = Infinity
  let longest = 0
  for (let i = 0; i < changePeriods.length; i++) {
    shortest = Math.min(shortest, changePeriods[i]!)
    longest = Math.max(longest, changePeriods[i]!)
  }
  return logGrid({ shortest: shortest / 2, longest: longest * 2 })
}
