import {
  fitPseudoGaps,
  type GridPrior,
  type Growing,
  GrowingMle,
  GrowingPosterior,
  gridPrior,
  hourlyGrid,
  newPageDeviation,
  type PseudoGapFit,
} from 'revisit/estimators'
import { DAY, type Seconds } from 'revisit/model'
import { Random } from 'revisit/numeric'
import type { Collection } from './collection.js'

/** One way to estimate a page from its first visit on. */
export interface Beginner {
  readonly name: string
  readonly newPage: (page: number) => Growing
}

/** The median absolute deviation of a way at every visit, from before the first. */
export interface DeviationCurve {
  readonly name: string
  readonly deviation: Float64Array
}

/** The longest period of the paper's plots (Figure 4). */
export const longestPlotted = 25 * DAY

/** How the two pseudo-gaps were fitted to a law. */
export interface PseudoGapFits {
  /** Densities over periods up to 25 days on an hourly grid, as the paper plots and discretises them. */
  readonly plotted: PseudoGapFit
  /** Densities over the logarithm of the period, where slow pages count as much as fast ones. */
  readonly log: PseudoGapFit
  /** The likelihood read as a density of the change rate, which can only be so wide. */
  readonly perTime: PseudoGapFit
}

export function pseudoGapFits(
  law: GridPrior,
  { seed, steps }: { readonly seed: number; readonly steps: number },
): PseudoGapFits {
  const random = () => new Random(seed)
  const hourly = regridded(law, hourlyGrid({ longest: longestPlotted }))
  const log = { reading: 'log-period', over: 'log-period' } as const
  return {
    plotted: fitPseudoGaps(hourly, { reading: 'period', steps, random: random() }),
    log: fitPseudoGaps(law, { ...log, steps, random: random() }),
    perTime: fitPseudoGaps(law, { reading: 'rate', steps, random: random() }),
  }
}

/** A law carried over to another grid: its density between nodes, straight in log periods. */
export function regridded(law: GridPrior, grid: Float64Array): GridPrior {
  const { periods, masses } = law
  const density = (period: Seconds) => {
    const right = periods.findIndex((each) => each >= period)
    if (right <= 0) return right === 0 && periods[0] === period ? masses[0]! : 0
    const [from, to] = [periods[right - 1]!, periods[right]!]
    const share = Math.log(period / from) / Math.log(to / from)
    return masses[right - 1]! + share * (masses[right]! - masses[right - 1]!)
  }
  return gridPrior(
    grid,
    grid.map((period) => density(period) / period),
  )
}

/** The uniform start of the shared reading: up to 22 days, so 11 on average. */
const uniformUpTo = 22 * DAY

export function uniformStart({ upTo, seed }: { upTo: Seconds; seed: number }): Beginner {
  return {
    name: `MLE from a uniform start up to ${upTo / DAY} days`,
    newPage: (page) => new GrowingMle({ firstPeriod: new Random(seed + page).positive() * upTo }),
  }
}

/** The ways that Figure 7 compares, and two more; `fits` has one fit a law. */
export function beginners(
  { laws, lawOf }: Collection,
  { fits, seed }: { readonly fits: readonly PseudoGapFits[]; readonly seed: number },
): Beginner[] {
  const withGaps = (which: 'plotted' | 'log') => (page: number) =>
    new GrowingMle({ pseudoGaps: fits[lawOf(page)]![which].pseudoGaps })
  return [
    { name: 'two pseudo-gaps', newPage: withGaps('plotted') },
    { name: 'two pseudo-gaps, over log periods', newPage: withGaps('log') },
    uniformStart({ upTo: uniformUpTo, seed }),
    { name: 'MLE from 11 days', newPage: () => new GrowingMle({ firstPeriod: 11 * DAY }) },
    {
      name: 'posterior with the whole law',
      newPage: (page) => new GrowingPosterior(laws[lawOf(page)]!),
    },
  ]
}

export function deviationCurve(
  { name, newPage }: Beginner,
  { changePeriods, visits, seed }: { changePeriods: Float64Array; visits: number; seed: number },
): DeviationCurve {
  const random = new Random(seed)
  return { name, deviation: newPageDeviation({ changePeriods, newPage, visits, random }) }
}
