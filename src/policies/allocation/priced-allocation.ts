import { OptionError } from '../../model/errors.js'
import {
  type AllocateOptions,
  type Allocation,
  type Allotment,
  checkInput,
  type Means,
  type PageColumns,
} from './allocation.js'

/** What the pages would spend at a price, and how fast that falls. */
export interface PriceDemand {
  readonly spent: number
  /** d spent / d ln(price): never positive. */
  readonly slope: number
}

/** What the pages would spend at a price: continuous and falling in the price. */
type Demand = (price: number) => PriceDemand

/**
 * Where the demand meets the budget: at one price (low = high), or, where one
 * page's demand falls faster than prices have digits, between two that agree
 * to 14 digits: take `share` of the rates at the low one and the rest at the
 * high one, and the budget is met while every page's marginal gain stays
 * between the two.
 */
export interface PricePoint {
  readonly low: number
  readonly high: number
  readonly share: number
}

/** The spending meets the budget to this, relatively. */
const TOLERANCE = 1e-12
/** Two prices nearer than this are one. */
const NEAREST = 1e-14
/**
 * The price at which the pages spend the budget: Newton's method on
 * ln(spent) against ln(price), nearly a straight line, kept in a bracket and
 * replaced by bisection where it does not halve the error.
 *
 * The demand must exceed the budget at low prices and fall to it or below.
 */
export function searchPrice(
  demand: Demand,
  { budget, start }: { budget: number; start: number },
): PricePoint {
  let low = 0
  let high = Infinity
  let spentAtLow = Infinity
  let spentAtHigh = 0
  let price = start
  let errorBefore = Infinity
  for (;;) {
    const { spent, slope } = demand(price)
    const error = Math.abs(spent - budget)
    if (error <= TOLERANCE * budget) return { low: price, high: price, share: 1 }
    if (spent > budget) [low, spentAtLow] = [price, spent]
    else [high, spentAtHigh] = [price, spent]
    if (high < Infinity && high - low <= NEAREST * high) {
      return { low, high, share: (budget - spentAtHigh) / (spentAtLow - spentAtHigh) }
    }
    const step = (Math.log(budget / spent) * spent) / slope
    const next = price * Math.exp(step)
    const trusted = next > low && next < high && error <= errorBefore / 2
    errorBefore = trusted ? error : Infinity
    price = trusted ? next : between({ low, high })
  }
}

/** The geometric middle; a bracket still open at one end is widened instead. */
function between({ low, high }: { low: number; high: number }): number {
  if (low === 0) return high / 16
  return high === Infinity ? low * 16 : Math.sqrt(low) * Math.sqrt(high)
}

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
  measure(pages: PageColumns, keys: Float64Array, price: number): PriceDemand
  /** Turns the keys into visit rates. */
  fill(pages: PageColumns, keys: Float64Array, at: PricePoint): Filled
}

export interface Prepared {
  /** The price above which no page wants more than it must have; null if there is none. */
  readonly dearest: () => number | null
  /** A price near that of the budget; exact is not needed. */
  readonly start: (budget: number) => number
  /** A short cut from there to the exact price, to be checked; null if it does not apply. */
  readonly refine?: ((near: { budget: number; start: number }) => PricePoint | null) | undefined
  /** What must be spent (limits), and the most that can be. */
  readonly least: number
  readonly most: number
}

export interface Filled {
  readonly spent: number
  readonly freshness: number
}

/** Relative distance from the budget at which a short cut has failed. */
const MISSED = 1e-11

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
      const task = { pages, keys: visitRates, means }
      const hasty = attempt(law, { ...task, hasty: true })
      // Filling overwrites the keys, so a careful search begins anew; hardly ever needed.
      return hasty ?? attempt(law, { ...task, hasty: false })!
    },
  }
}

interface Task {
  readonly pages: PageColumns
  readonly keys: Float64Array
  readonly means: Means
  readonly hasty: boolean
}

/** The allotment, or null if a short cut did not meet the budget after all. */
function attempt(law: PricedLaw, task: Task): Allotment | null {
  const { pages, keys, means } = task
  const prepared = law.prepare(pages, keys)
  const forced = forcedPrice(prepared, means)
  const point = forced === null ? sought(law, { ...task, prepared }) : at(forced.price)
  const { spent, freshness } = law.fill(pages, keys, point)
  const missed = forced === null && Math.abs(spent - means.budget!) > MISSED * means.budget!
  if (missed && task.hasty) return null
  const multiplier =
    forced === null ? point.high + point.share * (point.low - point.high) : forced.multiplier
  return { visitRates: keys, multiplier, freshness, spent }
}

/** The price where there is nothing to search for: it is given, or a limit is reached. */
function forcedPrice(
  { dearest, least, most }: Prepared,
  { budget, price }: Means,
): { price: number; multiplier: number | null } | null {
  if (budget === undefined) return { price, multiplier: price }
  if (budget < least * (1 - 1e-12)) refuse({ budget, least })
  if (budget >= most) return { price: 0, multiplier: 0 }
  return budget <= least ? { price: Infinity, multiplier: dearest() } : null
}

function sought(law: PricedLaw, task: Task & { prepared: Prepared }): PricePoint {
  const { pages, keys, hasty } = task
  const budget = task.means.budget!
  const start = task.prepared.start(budget)
  const refined = hasty ? task.prepared.refine?.({ budget, start }) : null
  if (refined) return refined
  return searchPrice((price) => law.measure(pages, keys, price), { budget, start })
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
