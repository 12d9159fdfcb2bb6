import type { History, Seconds, Verdict } from '../../model/index.js'
import type { PairBins } from './pair-bins.js'
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

interface Told {
  readonly method: string
  readonly verdict: DistributionVerdict
  readonly target: Target
  /** Values the curve is made of: content ages, run lengths, pairs of visits. */
  readonly samples: number
}

/** A curve, or the verdict that says why there is none. */
export type DistributionEstimate =
  | (Told & {
      readonly kind: 'curve'
      readonly verdict: 'ok' | 'no-change-seen' | 'always-changed' | 'unequal-gaps'
      readonly curve: DistributionCurve
      /** The counts behind an M6 curve. */
      readonly bins?: PairBins
    })
  | (Told & {
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
