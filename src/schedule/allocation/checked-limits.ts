import { OptionError } from '../../model/index.js'
import type { AllocateOptions, PageColumns } from './allocation.js'
import { checkApart, checkLength, LARGEST, SMALLEST } from './checked-input.js'

/** Revisit periods, one for all or one a page. */
export interface Limits {
  readonly shortest: number | Float64Array
  readonly longest: number | Float64Array
}

export const valueAt = (column: number | Float64Array, i: number): number =>
  typeof column === 'number' ? column : column[i]!

/** Throws if a period cannot be, or a page's shortest is above its longest. */
export function checkLimits(
  { shortest, longest }: Limits,
  { pages, options }: { pages: PageColumns; options: AllocateOptions },
): void {
  const expected = pages.changeRates.length
  for (const [column, name] of [
    [shortest, 'shortestPeriod'],
    [longest, 'longestPeriod'],
  ] as const) {
    if (typeof column === 'number') continue
    checkLength(column, { name, expected })
    if (options.into !== undefined) checkApart(options.into, [column])
  }
  const both = typeof shortest === 'number' && typeof longest === 'number'
  for (let i = 0; i < (both ? 1 : expected); i++) {
    checkPair({
      shortest: valueAt(shortest, i),
      longest: valueAt(longest, i),
      at: both ? '' : `[${i}]`,
    })
  }
}

function checkPair({
  shortest,
  longest,
  at,
}: {
  shortest: number
  longest: number
  at: string
}): void {
  const able = (value: number) => value >= SMALLEST && value <= LARGEST
  if (!(shortest === 0 || able(shortest))) {
    throw new OptionError(
      'bad-period',
      `shortestPeriod${at} must be a duration, or 0 for no limit; got ${shortest}`,
    )
  }
  if (!(longest === Infinity || able(longest))) {
    throw new OptionError(
      'bad-period',
      `longestPeriod${at} must be a positive duration, or Infinity for no limit; got ${longest}`,
    )
  }
  if (shortest > longest) {
    throw new OptionError(
      'bad-period',
      `shortestPeriod${at} is ${shortest}, above longestPeriod${at}, ${longest}`,
    )
  }
}
