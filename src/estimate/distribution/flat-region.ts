import type { Seconds } from '../../model/index.js'
import type { Cdf } from './distances.js'
import { forwardSlope } from './five-point.js'

/** E[U] at one bin width. */
export interface Trial {
  readonly binWidth: Seconds
  readonly changePeriod: Seconds
  /** Relative standard error of E[U] from sampling alone; 0 where none was given. */
  readonly noise: number
}

export interface FlatRegion extends Trial {
  /** Relative change of E[U] to the next wider and the next narrower bin, summed. */
  readonly change: number
  /** All bin widths tried, widest first: the picture of figure 8(a). */
  readonly trail: readonly Trial[]
}

/**
 * The bin width at which E[U] = 1 / g(0) stands still. Wide bins are biased (E[U]
 * falls with the width and settles), narrow ones noisy; the flattest place between
 * is taken: least relative change to both neighbours plus sampling error, widths
 * a factor sqrt(2) apart. Null where fewer than three widths give a rising slope. O(log(wide / narrow)).
 *
 * Li, Cline & Loguinov 2015, section IV-E.
 */
export function flatRegion(
  cdf: Cdf,
  {
    widest,
    narrowest,
    slopeError = () => 0,
  }: {
    widest: Seconds
    narrowest: Seconds
    /** Standard error of the slope at 0 for a bin width. */
    slopeError?: (binWidth: Seconds) => number
  },
): FlatRegion | null {
  const trail: Trial[] = []
  for (let width = widest; width >= narrowest && trail.length < 200; width /= Math.SQRT2) {
    const slope = forwardSlope(cdf, { x: 0, step: width })
    if (slope > 0 && Number.isFinite(1 / slope))
      trail.push({
        binWidth: width,
        changePeriod: 1 / slope,
        noise: slopeError(width) / slope,
      })
  }
  let best: FlatRegion | null = null
  let bestScore = Infinity
  for (let i = 1; i + 1 < trail.length; i++) {
    const here = trail[i]!.changePeriod
    const change =
      Math.abs(trail[i - 1]!.changePeriod / here - 1) +
      Math.abs(trail[i + 1]!.changePeriod / here - 1)
    const score = change + trail[i]!.noise
    if (score < bestScore) {
      best = { ...trail[i]!, change, trail }
      bestScore = score
    }
  }
  return best
}
