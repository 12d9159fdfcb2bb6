import type { PerSecond, Seconds } from '../../model/units.js'
import { cdfAt, type DistributionEstimate } from './distribution.js'

/**
 * The law of update gaps, F_U, and its mean E[U], drawn from an age
 * distribution: g = G', E[U] = 1 / g(0), F_U = 1 - g / g(0).
 *
 * Li, Cline & Loguinov 2015, eq. 1.
 */
export type UpdateLaw =
  | {
      readonly kind: 'law'
      readonly by: 'five-point' | 'concave'
      /** E[U]. */
      readonly changePeriod: Seconds
      readonly changeRate: PerSecond
      /** F_U, joined linearly; never falls, stays within [0, 1]. */
      readonly x: Float64Array
      readonly cdf: Float64Array
      readonly caution: string
    }
  | {
      readonly kind: 'none'
      readonly by: 'five-point' | 'concave'
      /**
       * `not-an-age-distribution`: the method's curve is not G_U, so it has no such derivative;
       * `not-identifiable`: the visits cannot tell it, see `Identifiability`.
       */
      readonly why:
        | 'not-identifiable'
        | 'no-curve'
        | 'no-change-seen'
        | 'not-an-age-distribution'
        | 'too-few-points'
        | 'no-slope-at-zero'
    }

/** An estimate that has a curve. */
export type WithCurve = Extract<DistributionEstimate, { kind: 'curve' }>

/** The estimate if F_U may be drawn from it, else the reason why not. */
export function usable(
  estimate: DistributionEstimate,
  by: UpdateLaw['by'],
): { readonly estimate: WithCurve } | Extract<UpdateLaw, { kind: 'none' }> {
  if (estimate.kind === 'none') return { kind: 'none', by, why: 'no-curve' }
  if (estimate.target.law === 'neither') return { kind: 'none', by, why: 'not-an-age-distribution' }
  if (estimate.verdict === 'no-change-seen') return { kind: 'none', by, why: 'no-change-seen' }
  if (estimate.curve.x.length < 4) return { kind: 'none', by, why: 'too-few-points' }
  return { estimate }
}

/** What a reader of the law must know of the curve it was drawn from. */
export function lawCaution({ target, curve }: WithCurve): string {
  if (target.law === 'Delta-consistent age distribution')
    return 'the age distribution is known at multiples of the gap only: between them, and so at 0, this is interpolation'
  return curve.shape === 'line'
    ? 'no visits nearer to each other than the first point: the slope at 0 is fitted from there on'
    : ''
}

/** F_U at x; the last value beyond the end. O(log n). */
export function updateGapCdf(law: Extract<UpdateLaw, { kind: 'law' }>, x: number): number {
  return cdfAt({ shape: 'line', x: law.x, cdf: law.cdf, weight: law.x }, x)
}
