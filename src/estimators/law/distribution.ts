import type { Verdict } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import type { Stretches } from './stretches.js'

/**
 * What a method's curve tends to as the history grows, in the words of Li,
 * Cline & Loguinov 2015: the age distribution G_U everywhere, G_U at multiples
 * of the gap only, or neither G_U nor the law of update gaps F_U.
 */
export type Target =
  | { readonly law: 'age distribution'; readonly caution: string }
  | {
      readonly law: 'Delta-consistent age distribution'
      /** The curve is true at whole multiples of this gap, and only there. */
      readonly delta: Seconds
      readonly caution: string
    }
  | { readonly law: 'neither'; readonly biased: string; readonly unbiasedWhen: string }

/** Pairs of visits by the bin their distance rounds up to; entry 0 is the bin (0, binWidth]. */
export interface PairBins {
  readonly binWidth: number
  /** W: pairs in the bin. */
  readonly pairs: Float64Array
  /** Z: pairs in the bin with a seen change between. */
  readonly withChange: Float64Array
  /** Sum of the distances in the bin. */
  readonly distance: Float64Array
}

/**
 * A distribution function at ascending `x`. `steps` holds its value up to the
 * next x, and is 0 before the first; `line` is joined linearly, from 0 at 0.
 */
export interface DistributionCurve {
  readonly shape: 'steps' | 'line'
  readonly x: Float64Array
  /** Never falls, stays within [0, 1]. */
  readonly cdf: Float64Array
  /** How many samples stand behind each x. */
  readonly weight: Float64Array
}

/**
 * - `no-complete-run`: fewer than two changes, so no run between two changes
 * - `unequal-gaps`: computed as if all gaps were the mean gap; see `target`
 * - the others as in the model's Verdict
 */
export type DistributionVerdict = Exclude<Verdict, 'short-sampling'> | 'no-complete-run'

interface MethodResult {
  readonly method: string
  readonly verdict: DistributionVerdict
  readonly target: Target
  /** Values the curve is made of: content ages, run lengths, pairs of visits. */
  readonly samples: number
}

/** A curve, or the verdict that says why there is none. */
export type DistributionEstimate =
  | (MethodResult & {
      readonly kind: 'curve'
      readonly verdict: 'ok' | 'no-change-seen' | 'always-changed' | 'unequal-gaps'
      readonly curve: DistributionCurve
      /** The counts behind an M6 curve. */
      readonly bins?: PairBins
    })
  | (MethodResult & {
      readonly kind: 'none'
      readonly verdict: 'no-observation' | 'no-content-age' | 'no-change-seen' | 'no-complete-run'
    })

/** Bins of M6; the other methods take no options. */
export interface DistributionOptions {
  readonly binWidth?: Seconds
  /** The largest distance between two visits that is counted. */
  readonly upTo?: Seconds
}

/** A pure function from a History, or the same as columns, to a distribution, with its name and its needs. */
export interface DistributionMethod {
  readonly name: string
  /** One sentence for a person who chooses a method. */
  readonly summary: string
  readonly needsContentAge: boolean
  readonly needsEqualGaps: boolean
  estimate(history: History | Stretches, options?: DistributionOptions): DistributionEstimate
}

/** The empirical distribution of a sample, equal values as one step. O(n log n). */
export function stepCurve(sample: ArrayLike<number>): DistributionCurve {
  const sorted = new Float64Array(sample).sort()
  const n = sorted.length
  const x = new Float64Array(n)
  const cdf = new Float64Array(n)
  const weight = new Float64Array(n)
  let steps = 0
  for (let i = 0; i < n; i++) {
    if (steps === 0 || sorted[i] !== x[steps - 1]) x[steps++] = sorted[i]!
    cdf[steps - 1] = (i + 1) / n
    weight[steps - 1]! += 1
  }
  const filled = (column: Float64Array) => (steps === n ? column : column.slice(0, steps))
  return { shape: 'steps', x: filled(x), cdf: filled(cdf), weight: filled(weight) }
}

/**
 * A line through whole multiples of `delta`, from how many samples have each
 * whole value 1, 2, ...: the running sum over `total`. O(values).
 */
export function pointCurve(
  counts: ArrayLike<number>,
  { delta, total }: { delta: number; total: number },
): DistributionCurve {
  let running = 0
  const cdf = Float64Array.from(counts, (count) => {
    running += count
    return Math.min(1, running / total)
  })
  const x = Float64Array.from(counts, (_, i) => (i + 1) * delta)
  return { shape: 'line', x, cdf, weight: Float64Array.from(counts) }
}

/** The curve's value at x: 0 below 0, the last value beyond the end. O(log n). */
export function cdfAt(curve: DistributionCurve, x: number): number {
  const after = firstAbove(curve.x, x)
  if (curve.shape === 'steps') return after === 0 ? 0 : curve.cdf[after - 1]!
  if (x <= 0) return 0
  if (after === curve.x.length) return after === 0 ? 0 : curve.cdf[after - 1]!
  const [x0, y0] = after === 0 ? [0, 0] : [curve.x[after - 1]!, curve.cdf[after - 1]!]
  return y0 + ((curve.cdf[after]! - y0) * (x - x0)) / (curve.x[after]! - x0)
}

/** The least of the curve's x at which it reaches p; the last one if it never does. O(n). */
export function reaches(curve: DistributionCurve, p: number): number {
  const i = curve.cdf.findIndex((value) => value >= p)
  return curve.x[i < 0 ? curve.x.length - 1 : i]!
}

function firstAbove(sorted: Float64Array, x: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= x) low = middle + 1
    else high = middle
  }
  return low
}

/** A distribution function to compare with, such as a closed form. */
export type Cdf = (x: number) => number

/**
 * Kolmogorov-Smirnov: the largest distance between a curve and a distribution
 * function. Steps are compared on both sides of each step, lines at their
 * points only; `at` names other places. For M6 give the mean of the truth over
 * a bin, not its value at the end. Li, Cline & Loguinov 2015, eq. 24. O(n).
 */
export function kolmogorovSmirnov(
  curve: DistributionCurve,
  truth: Cdf,
  { at }: { at?: ArrayLike<number> } = {},
): number {
  let worst = 0
  if (at !== undefined) {
    for (let i = 0; i < at.length; i++)
      worst = Math.max(worst, Math.abs(cdfAt(curve, at[i]!) - truth(at[i]!)))
    return worst
  }
  curve.x.forEach((x, i) => {
    const expected = truth(x)
    worst = Math.max(worst, Math.abs(curve.cdf[i]! - expected))
    if (curve.shape === 'steps')
      worst = Math.max(worst, Math.abs((curve.cdf[i - 1] ?? 0) - expected))
  })
  return worst
}

/**
 * Weighted mean relative difference: the summed distance over the summed mean
 * of curve and truth, at the curve's x or at `at`. 0 where both are 0.
 * Li, Cline & Loguinov 2015, eq. 23. O(n).
 */
export function weightedRelativeDifference(
  curve: DistributionCurve,
  truth: Cdf,
  { at = curve.x }: { at?: ArrayLike<number> } = {},
): number {
  let apart = 0
  let both = 0
  for (let i = 0; i < at.length; i++) {
    const mine = cdfAt(curve, at[i]!)
    const expected = truth(at[i]!)
    apart += Math.abs(mine - expected)
    both += (mine + expected) / 2
  }
  return both > 0 ? apart / both : 0
}
