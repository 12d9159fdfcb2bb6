import type { Bands } from './bootstrap-bands.js'

/**
 * Bounds of the distribution at any x, between the places where it was bounded
 * too: it never falls, so it is at least the lower bound of the place before
 * and at most the upper bound of the place after. 0 where no place is before,
 * 1 where none is after. A curve that rises within the bands lies between them
 * everywhere. O(log n).
 */
export function boundsAt(
  { x, low, high }: Extract<Bands, { kind: 'bands' }>,
  at: number,
): { readonly low: number; readonly high: number } {
  const after = firstNotBelow(x, at)
  const before = x[after] === at ? after : after - 1
  return { low: low[before] ?? 0, high: high[after] ?? 1 }
}

function firstNotBelow(sorted: Float64Array, x: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < x) from = middle + 1
    else to = middle
  }
  return from
}
