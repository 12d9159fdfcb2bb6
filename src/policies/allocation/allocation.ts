import { OptionError } from '../../model/errors.js'

/**
 * What is known of many pages, a column each. Any unit of time will do, the
 * same for change rates, visit rates, budget and periods.
 */
export interface PageColumns {
  readonly changeRates: Float64Array
  /** Importance of a page's freshness; 1 each if absent. */
  readonly weights?: Float64Array | undefined
  /** Price of one request to a page, in the budget's coin; 1 each if absent. */
  readonly costs?: Float64Array | undefined
}

/**
 * Either what may be spent (the sum of cost times visit rate), or the going
 * price: how much weighted freshness a unit of budget must buy to be spent.
 */
export type Means =
  | { readonly budget: number; readonly price?: undefined }
  | { readonly price: number; readonly budget?: undefined }

export interface AllocateOptions {
  /** Where to write the visit rates; a new array if absent. Not one of the input columns. */
  readonly into?: Float64Array | undefined
}

/** How the visits to one page are spread in time: evenly spaced, or at random moments. */
export type VisitLaw = 'even' | 'poisson'

/** What each page is allotted. */
export interface Allotment {
  readonly visitRates: Float64Array
  /**
   * What one more unit of budget would add to the method's objective: the
   * price of a request. 0 if nothing is left to buy, null if no finite price
   * gives this budget (harmonic, budget 0).
   */
  readonly multiplier: number | null
  /**
   * Predicted share of time that a copy is fresh, weighted, for Poisson
   * changes and the visits the method assumes. 1 where no page has weight.
   */
  readonly freshness: number
  /** Sum of cost times visit rate. Below the budget only where more buys nothing. */
  readonly spent: number
}

/** A way to share visits among pages: pure, and without an allocation per page. */
export interface Allocation {
  readonly name: string
  /** One sentence for a person who chooses a method. */
  readonly summary: string
  /** The visits that its objective and its predicted freshness assume. */
  readonly visits: VisitLaw
  allocate(pages: PageColumns, means: Means, options?: AllocateOptions): Allotment
}

/**
 * Numbers outside these are refused: within them no product, square or
 * quotient of the methods overflows or vanishes, so no result is NaN.
 */
const SMALLEST = 1e-50
const LARGEST = 1e50

/** Throws if a column or the means cannot be. One pass of comparisons. */
export function checkInput(pages: PageColumns, means: Means, options: AllocateOptions): void {
  const { changeRates, weights, costs } = pages
  checkColumn(changeRates, { name: 'changeRates', code: 'bad-change-rate', zero: true })
  for (const [column, name, code, zero] of [
    [weights, 'weights', 'bad-weight', true],
    [costs, 'costs', 'bad-cost', false],
  ] as const) {
    if (column === undefined) continue
    checkLength(column, { name, expected: changeRates.length })
    checkColumn(column, { name, code, zero })
  }
  checkMeans(means)
  if (options.into === undefined) return
  checkLength(options.into, { name: 'into', expected: changeRates.length })
  checkApart(options.into, [changeRates, weights, costs])
}

/** Throws unless each value is positive (or 0 where allowed) and of a size that can be computed with. */
function checkColumn(
  column: Float64Array,
  { name, code, zero }: { name: string; code: string; zero: boolean },
): void {
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!
    if ((value >= SMALLEST && value <= LARGEST) || (zero && value === 0)) continue
    throw new OptionError(code, `${name}[${i}] must be ${allowed(zero)}; got ${value}`)
  }
}

function checkLength(
  column: Float64Array,
  { name, expected }: { name: string; expected: number },
): void {
  if (column.length === expected) return
  throw new OptionError(
    'unequal-columns',
    `${name} needs one value for each of the ${expected} pages; it has ${column.length}`,
  )
}

function checkMeans({ budget, price }: Means): void {
  if ((budget === undefined) === (price === undefined)) {
    throw new OptionError('bad-means', 'give either a budget or a price, not both and not neither')
  }
  if (budget !== undefined && budget !== 0 && !(budget >= SMALLEST && budget <= LARGEST)) {
    throw new OptionError('bad-budget', `budget must be ${allowed(true)}; got ${budget}`)
  }
  if (price !== undefined && !(price >= SMALLEST && price <= LARGEST)) {
    throw new OptionError('bad-price', `price must be ${allowed(false)}; got ${price}`)
  }
}

/** Writing over an input while it is still read would give wrong rates without a word. */
function checkApart(into: Float64Array, columns: readonly (Float64Array | undefined)[]): void {
  for (const column of columns) {
    if (column === undefined || column.buffer !== into.buffer) continue
    const apart =
      column.byteOffset + column.byteLength <= into.byteOffset ||
      into.byteOffset + into.byteLength <= column.byteOffset
    if (!apart) throw new OptionError('bad-target', 'into must not share memory with the input')
  }
}

function allowed(zero: boolean): string {
  return `${zero ? '0, or ' : ''}a number from ${SMALLEST} to ${LARGEST}`
}
