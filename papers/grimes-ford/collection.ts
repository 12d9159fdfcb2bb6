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

/** A law of change periods that we state. */
interface StatedLaw {
  readonly name: string
  readonly about: string
  draw(random: Random): Seconds
  /** Density over the logarithm of the period, up to a constant. */
  densityOfLog(period: Seconds): number
}

const lognormal: StatedLaw = {
  name: 'stated distribution',
  about: 'lognormal change periods, median 240 hours, sigma 1.3',
  draw: (random) => median * Math.exp(sigma * random.normal()),
  densityOfLog: (period) => Math.exp(-((Math.log(period / median) / sigma) ** 2) / 2),
}

const shape = 0.7
const scale = median / Math.LN2 ** (1 / shape)

/** Of the same median, with more very fast pages and fewer very slow ones. */
const weibull: StatedLaw = {
  name: 'second distribution',
  about: 'Weibull change periods, median 240 hours, shape 0.7',
  draw: (random) => scale * random.exponential() ** (1 / shape),
  densityOfLog: (period) => (period / scale) ** shape * Math.exp(-((period / scale) ** shape)),
}

/**
 * The stated distribution, since the paper's sample is not at hand: lognormal
 * change periods with a median of 240 hours and a sigma of 1.3; or a second one,
 * so that what hangs on that choice shows itself.
 */
export function statedCollection({
  pages,
  seed,
  second = false,
}: {
  readonly pages: number
  readonly seed: number
  readonly second?: boolean
}): Collection {
  const random = new Random(seed)
  const law = second ? weibull : lognormal
  const grid = logGrid({ shortest: median / reach, longest: median * reach, nodes: 64 })
  return {
    name: law.name,
    about: `${pages.toLocaleString('en')} pages with ${law.about}`,
    changePeriods: Float64Array.from({ length: pages }, () => law.draw(random)),
    laws: [gridPrior(grid, grid.map(law.densityOfLog))],
    lawOf: () => 0,
  }
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
