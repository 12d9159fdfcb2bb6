import { OptionError } from '../../model/errors.js'
import type { History } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { censored, mostLikelyRate } from '../rate/likelihood.js'
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

export interface EmpiricalPriorOptions {
  /** A page counts once this many changes were seen; 25 by default. */
  readonly changes?: number
  /** Change periods of the law; around the estimates, in equal ratios, by default. */
  readonly grid?: Float64Array
}

export interface EmpiricalPrior {
  /** Null where no page was sampled long enough. */
  readonly prior: GridPrior | null
  /** The estimates themselves, in the order of the pages that reached the count. */
  readonly changePeriods: Float64Array
  readonly pages: number
  /** Pages that never reached the count and so are not in the law. They are the slow ones. */
  readonly unfinished: number
  /** Pages seen changed at every visit: the shortest gap stands in for their period. */
  readonly alwaysChanged: number
  /** Estimates beyond the ends of the grid, counted at its ends. */
  readonly outside: number
}

/**
 * How change periods are spread over a collection, from pages that were
 * sampled until 25 changes were seen: each page's history up to that change,
 * by the irregular MLE. What comes after is not used, so that every page is
 * known about equally well.
 *
 * Slow pages seldom reach the count in a sample of finite length, so the law
 * leans to fast pages the more are `unfinished`; `fitAutoPrior` of the planner uses them all.
 *
 * Grimes & Ford 4.2, Figure 3. O(observations) and one fit a page.
 */
export function empiricalPrior(
  histories: Iterable<History>,
  options: EmpiricalPriorOptions = {},
): EmpiricalPrior {
  const { changes = 25, grid } = options
  if (!(changes >= 1)) {
    throw new OptionError('bad-count', `changes to wait for are 1 or more; got ${changes}`)
  }
  const changePeriods: Seconds[] = []
  let pages = 0
  let alwaysChanged = 0
  for (const history of histories) {
    pages++
    const page = upToChange(history, changes)
    if (page === null) continue
    const fitted = mostLikelyRate(censored(page))
    if (fitted === Infinity) alwaysChanged++
    changePeriods.push(fitted === Infinity ? shortestGap(page) : 1 / fitted)
  }
  const unfinished = pages - changePeriods.length
  const counted = { changePeriods: Float64Array.from(changePeriods), pages, unfinished }
  if (changePeriods.length === 0) return { prior: null, ...counted, alwaysChanged, outside: 0 }
  const law = periodHistogram(changePeriods, grid === undefined ? {} : { grid })
  return { ...law, ...counted, alwaysChanged }
}

/** The observations up to that change, or null where it was never seen. */
function upToChange({ start, observations }: History, changes: number): History | null {
  let seen = 0
  for (let i = 0; i < observations.length; i++) {
    if (observations[i]!.changed && ++seen >= changes)
      return { start, observations: observations.slice(0, i + 1) }
  }
  return null
}

function shortestGap({ observations }: History): Seconds {
  return observations.reduce((least, { gap }) => Math.min(least, gap), Infinity)
}
