import { isotonic } from '../../numeric/isotonic.js'
import { variance } from '../../numeric/summary.js'
import { cdfAt } from './distribution.js'
import { boundedPlaces, type NoBounds, type Resampled } from './resampled.js'
import type { WithCurve } from './update-law.js'

/** Pointwise bounds of a distribution. */
export type Bands =
  | {
      readonly kind: 'bands'
      readonly x: Float64Array
      readonly low: Float64Array
      readonly high: Float64Array
      readonly level: number
      readonly copies: number
    }
  | NoBounds

/**
 * Bounds of a method's curve, point by point, from the spread of its bootstrap
 * copies; at its own x, at most 200 of them, by default. O(copies x places).
 *
 * Efron & Tibshirani 1993, ch. 12 (bounds by standard error).
 */
export function bands(
  known: Resampled | NoBounds,
  { at }: { readonly at?: ArrayLike<number> } = {},
): Bands {
  if (known.kind === 'none') return known
  const { estimate, copies, effective, level } = known
  const x = Float64Array.from(at ?? boundedPlaces(estimate.curve.x))
  const edges = Array.from(x, (place) =>
    edgesOf(
      copies.map(({ curve }) => cdfAt(curve, place)),
      {
        here: cdfAt(estimate.curve, place),
        samples: Math.min(effective, pairsAt(estimate, place)),
        ...errorsAt(known, place),
      },
    ),
  )
  const low = isotonic(edges.map((edge) => edge.low))
  const high = isotonic(edges.map((edge) => edge.high))
  return { kind: 'bands', x, low, high, level, copies: copies.length }
}

/** Standard errors below and above a share: more below where few runs tell of what lies beyond x. */
export function errorsAt(
  { z, effectiveBeyond }: Resampled,
  x: number,
): { readonly below: number; readonly above: number } {
  return { below: studentErrors(z, Math.max(2, effectiveBeyond(x))), above: z }
}

/** Student's quantile for a normal one, to the first order in 1 / freedom (Abramowitz & Stegun 26.7.5). */
function studentErrors(z: number, freedom: number): number {
  return z * (1 + (z * z + 1) / (4 * freedom))
}

/** Pairs of visits behind an M6 curve at x: a bin of three pairs tells no more than three. */
function pairsAt({ curve, bins }: WithCurve, x: number): number {
  if (bins === undefined) return Infinity
  const i = curve.x.findIndex((place) => place >= x)
  return i < 0 ? Infinity : Math.max(1, curve.weight[i]!)
}

/**
 * Bounds of one share, symmetric on the scale of log odds, where shares near 0
 * and 1 are not squeezed. Half a sample is added to either side, and the spread
 * is at least that of as many independent samples: copies of a history without
 * any long run all agree that there is none, and would bound it by nothing.
 */
export function edgesOf(
  copies: readonly number[],
  {
    here,
    samples: n,
    below,
    above,
  }: { here: number; samples: number; below: number; above: number },
): { low: number; high: number } {
  const smooth = (share: number) => (share * n + 0.5) / (n + 1)
  const logOdds = (share: number) => Math.log(smooth(share) / (1 - smooth(share)))
  const least = 1 / (here * n + 0.5) + 1 / ((1 - here) * n + 0.5)
  const error = Math.sqrt(Math.max(least, variance(copies.map(logOdds))))
  const share = (odds: number) => 1 / (1 + Math.exp(-odds))
  const low = here === 0 ? 0 : Math.min(here, share(logOdds(here) - below * error))
  const high = here === 1 ? 1 : Math.max(here, share(logOdds(here) + above * error))
  return { low, high }
}

/**
 * Bounds of the distribution at any x, between the places where it was bounded
 * too: it never falls, so it is at least the lower bound of the place before
 * and at most the upper bound of the place after. 0 where no place is before,
 * 1 where none is after. A curve that rises within the bands lies between them
 * everywhere. O(log n).
 */
export function boundsAt(
  {
    x,
    low,
    high,
  }: { readonly x: Float64Array; readonly low: Float64Array; readonly high: Float64Array },
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
