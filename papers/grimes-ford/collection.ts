import { type GridPrior, gridPrior, logGrid } from 'revisit/estimators'
import { HOUR, type Seconds } from 'revisit/model'
import { Random } from 'revisit/numeric'

/** Pages that new ones are drawn from: their true change periods, and the law that is known of them. */
export interface Collection {
  readonly name: string
  readonly about: string
  readonly changePeriods: Float64Array
  /** What may be known beforehand: the law of other pages of the same kind. */
  readonly laws: readonly GridPrior[]
  /** Which of the laws a page may know. */
  lawOf(page: number): number
}

const median = 240 * HOUR
const sigma = 1.3
/** Grid over which the law is known: 3.5 standard deviations to either side. */
const reach = Math.exp(3.5 * sigma)

/**
 * The stated distribution, since the paper's sample is not at hand: lognormal
 * change periods with a median of 240 hours and a sigma of 1.3.
 */
export function statedCollection({
  pages,
  seed,
}: {
  readonly pages: number
  readonly seed: number
}): Collection {
  const random = new Random(seed)
  const grid = logGrid({ shortest: median / reach, longest: median * reach, nodes: 64 })
  return {
    name: 'stated distribution',
    about: `${pages.toLocaleString('en')} pages with lognormal change periods, median 240 hours, sigma 1.3`,
    changePeriods: Float64Array.from(
      { length: pages },
      () => median * Math.exp(sigma * random.normal()),
    ),
    laws: [gridPrior(grid, grid.map(densityOfLog))],
    lawOf: () => 0,
  }
}

/** Density of the stated distribution over the logarithm of the period, up to a constant. */
function densityOfLog(period: Seconds): number {
  return Math.exp(-((Math.log(period / median) / sigma) ** 2) / 2)
}

/** So many pages of a collection, evenly spread over it, for what takes long. */
export function fewer(collection: Collection, pages: number): Collection {
  const { changePeriods, lawOf } = collection
  const count = Math.min(pages, changePeriods.length)
  const chosen = (page: number) => Math.floor((page * changePeriods.length) / count)
  return {
    ...collection,
    changePeriods: Float64Array.from({ length: count }, (_, page) => changePeriods[chosen(page)]!),
    lawOf: (page) => lawOf(chosen(page)),
  }
}
