import { OptionError } from '../../model/index.js'
import type { AllocateOptions, Means, PageColumns } from './allocation.js'

/**
 * Numbers outside these are refused: within them no product, square or
 * quotient of the methods overflows or vanishes, so no result is NaN.
 */
export const SMALLEST = 1e-50
export const LARGEST = 1e50

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
export function checkColumn(
  column: Float64Array,
  { name, code, zero }: { name: string; code: string; zero: boolean },
): void {
  for (let i = 0; i < column.length; i++) {
    const value = column[i]!
    if ((value >= SMALLEST && value <= LARGEST) || (zero && value === 0)) continue
    throw new OptionError(code, `${name}[${i}] must be ${allowed(zero)}; got ${value}`)
  }
}

export function checkLength(
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
export function checkApart(
  into: Float64Array,
  columns: readonly (Float64Array | undefined)[],
): void {
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
