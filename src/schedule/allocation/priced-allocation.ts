import { OptionError } from '../../model/index.js'
import type { AllocateOptions, Allocation, Allotment, Means, PageColumns } from './allocation.js'
import { checkInput } from './checked-input.js'
import { type PricePoint, type Reading, searchPrice } from './price-search.js'

/**
 * A law that gives each page its visit rate at a price of requests: the part
 * that differs between the methods which find their price. `keys` is the array
 * of the result: it holds what the law wants to know of each page during the
 * search and receives the visit rates at its end, so nothing else is kept a page.
 */
export interface PricedLaw {
  /** Writes the keys; says what the search must know beforehand. */
  prepare(pages: PageColumns, keys: Float64Array): Prepared
  /** What the pages spend at a price. */
  measure(pages: PageColumns, keys: Float64Array, price: number): Reading
  /** Turns the keys into visit rates. */
  fill(pages: PageColumns, keys: Float64Array, at: PricePoint): Filled
}

export interface Prepared {
  /** The price above which no page wants more than it must have; null if there is none. */
  readonly dearest: () => number | null
  /** A price near that of the budget; exact is not needed. */
  readonly start: (budget: number) => number
  /** What must be spent (limits), and the most that can be. */
  readonly least: number
  readonly most: number
}

export interface Filled {
  readonly spent: number
  readonly freshness: number
}

/** An allocation that finds the price at which a law spends the budget. */
export function pricedAllocation(
  about: Pick<Allocation, 'name' | 'summary' | 'visits'>,
  law: PricedLaw,
): Allocation {
  return {
    ...about,
    allocate(pages: PageColumns, means: Means, options: AllocateOptions = {}): Allotment {
      checkInput(pages, means, options)
      const visitRates = options.into ?? new Float64Array(pages.changeRates.length)
      const prepared = law.prepare(pages, visitRates)
      const { point, multiplier } = meet(law, { pages, keys: visitRates, prepared, means })
      const { spent, freshness } = law.fill(pages, visitRates, point)
      return { visitRates, multiplier, freshness, spent }
    },
  }
}

interface Task {
  readonly pages: PageColumns
  readonly keys: Float64Array
  readonly prepared: Prepared
  readonly means: Means
}

function meet(
  law: PricedLaw,
  { pages, keys, prepared, means }: Task,
): { point: PricePoint; multiplier: number | null } {
  if (means.budget === undefined) return { point: at(means.price), multiplier: means.price }
  const { budget } = means
  const { dearest, least, most } = prepared
  if (budget < least * (1 - 1e-12)) refuse({ budget, least })
  if (budget >= most) return { point: at(0), multiplier: 0 }
  if (budget <= least) return { point: at(Infinity), multiplier: dearest() }
  const point = searchPrice((price) => law.measure(pages, keys, price), {
    budget,
    start: prepared.start(budget),
  })
  return { point, multiplier: point.share * point.low + (1 - point.share) * point.high }
}

function at(price: number): PricePoint {
  return { low: price, high: price, share: 1 }
}

function refuse({ budget, least }: { budget: number; least: number }): never {
  throw new OptionError(
    'budget-below-limits',
    `the longest revisit periods alone need a budget of ${least}; got ${budget}: raise it, or allow longer periods`,
  )
}
