import { InputError } from '../../model/errors.js'
import type { History } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import { empiricalPrior, periodHistogram } from './empirical-prior.js'
import { type GridPrior, gridPrior, logGrid, periodQuantile } from './grid-prior.js'
import { bestFirstGap, type FirstGapCurve, type FirstGapPoint } from './new-pages.js'
import { fitPseudoGaps, type PseudoGapFit, pseudoGapPrior } from './pseudo-gaps.js'
import type { PriorForm } from './rate-prior.js'

/** The two readings of the paper's pair of pseudo-gaps that are proper laws by themselves. */
export const fittedReadings = ['log-period', 'rate'] as const
export type FittedReading = (typeof fittedReadings)[number]

/** A law of change periods with what Grimes & Ford make of it. */
export interface FittedRates {
  readonly law: GridPrior
  /** Two pseudo-gaps by each reading, in the order of `fittedReadings`. */
  readonly fits: readonly PseudoGapFit[]
  /** The best first gap of section 4.2 with its deviation. */
  readonly firstGap: FirstGapPoint
}

export interface FitRatesOptions {
  /** The same seed gives the same fit; 1 by default. */
  readonly seed?: number
}

/**
 * Both pairs of pseudo-gaps by the paper's annealing, each compared in the
 * variable of its reading, and the best first gap, for a law of change periods.
 * Some tenths of a second.
 *
 * Grimes & Ford 4.2 and 4.4.
 */
export function fitRates(law: GridPrior, { seed = 1 }: FitRatesOptions = {}): FittedRates {
  const fits = fittedReadings.map((reading) =>
    fitPseudoGaps(law, { reading, over: reading, random: new Random(seed) }),
  )
  return { law, fits, firstGap: firstGapOf(law, { seed }).best }
}

const pagesTried = 1000
const gapsTried = 48

/**
 * The first gap after which the estimates of pages of a law come nearest to the
 * truth over their first five visits, with the whole curve: a thousand pages,
 * evenly over the law, at gaps in equal ratios over nearly all of its periods.
 *
 * Grimes & Ford 4.2, Figure 4.
 */
export function firstGapOf(law: GridPrior, { seed = 1 }: FitRatesOptions = {}): FirstGapCurve {
  const at = (share: number) => periodQuantile(law, share)
  const changePeriods = Float64Array.from({ length: pagesTried }, (_, i) =>
    at((i + 0.5) / pagesTried),
  )
  const range = { shortest: at(0.01) / 4, longest: at(0.99) * 2 }
  const firstGaps = logGrid({ ...range, nodes: gapsTried })
  return bestFirstGap({ changePeriods, firstGaps, random: new Random(seed) })
}

/** A law of change periods with the pages that it came from. */
export interface EmpiricalRates {
  readonly law: GridPrior
  readonly pages: number
  /** Pages that were not seen to change often enough. */
  readonly unfinished: number
}

/**
 * The law of change periods of pages that were seen to change 25 times, or as
 * often as is asked (`empiricalPrior`), smooth enough to be a prior: a cell for
 * a few pages each, and half a page spread over all cells, so that no period
 * between two that were seen is ruled out.
 */
export function empiricalRates(
  histories: Iterable<History>,
  { changes = 25 }: { readonly changes?: number } = {},
): EmpiricalRates {
  const { changePeriods, pages, unfinished } = empiricalPrior(histories, { changes })
  if (changePeriods.length === 0)
    throw new InputError(
      'no-history',
      `none of ${pages} pages was seen to change ${changes} times; visit them for longer, or ask for fewer changes: --changes 5`,
    )
  return { law: lawOfPeriods(changePeriods), pages: changePeriods.length, unfinished }
}

/** The law of some change periods: a cell for a few pages each, and half a page spread over all. */
export function lawOfPeriods(changePeriods: ArrayLike<Seconds>): GridPrior {
  const pages = changePeriods.length
  const nodes = Math.min(121, Math.max(9, 1 + 4 * Math.ceil(Math.sqrt(pages))))
  const [shortest, longest] = [Math.min, Math.max].map((end) =>
    Array.from(changePeriods).reduce((a, b) => end(a, b)),
  ) as [Seconds, Seconds]
  const grid = logGrid({ shortest: shortest / 2, longest: longest * 2, nodes })
  const { prior } = periodHistogram(changePeriods, { grid })
  return gridPrior(
    grid,
    prior.masses.map((mass) => mass * pages + 0.5 / nodes),
  )
}

/**
 * The law of change periods that a prior stands for: its own, or the one that
 * its pseudo-gaps make of log periods, on a grid a thousand times wider than
 * the gaps to either side.
 */
export function lawOfPrior(prior: PriorForm): GridPrior {
  if (prior.kind === 'law') return prior.law
  const { changed, unchanged } = prior.pseudoGaps
  const [shorter, longer] = [Math.min(changed, unchanged), Math.max(changed, unchanged)]
  const grid = logGrid({ shortest: shorter / 1000, longest: longer * 1000 })
  return pseudoGapPrior(prior.pseudoGaps, { grid })
}

/** The pseudo-gaps that stand for a prior: its own, or those fitted to its law over log periods. */
export function pseudoGapsOf(prior: PriorForm, { seed = 1 }: FitRatesOptions = {}): PseudoGaps {
  if (prior.kind === 'pseudo-gaps') return prior.pseudoGaps
  const reading = { reading: 'log-period', over: 'log-period' } as const
  return fitPseudoGaps(prior.law, { ...reading, random: new Random(seed) }).pseudoGaps
}
