import type { UnixSeconds } from '../../model/index.js'

/** 1990-01-01: there was no web page to visit before. */
const earliest: UnixSeconds = 631_152_000

/**
 * The unit of a time that is written as a bare number, if only one can be
 * meant: the one in which it lies between 1990 and `latest`. The two ranges
 * never meet. Undefined for a number that is no such time.
 */
export function bareNumberUnit(
  value: number,
  { latest }: { latest: UnixSeconds },
): 'seconds' | 'milliseconds' | undefined {
  if (value >= earliest && value <= latest) return 'seconds'
  if (value / 1000 >= earliest && value / 1000 <= latest) return 'milliseconds'
  return undefined
}
