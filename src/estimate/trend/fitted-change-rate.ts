import type { PerSecond, Seconds } from '../../model/index.js'
import type { TimeSpan } from './change-rate-between.js'
import type { ConsistentWindow } from './consistent-windows.js'
import { expectedUpdates, finite } from './power-law.js'
import type { TrendEstimator } from './trend-curve.js'
import { weibullTrend } from './weibull.js'

/** The change rate between two dates as the windows' curves see it. */
export interface FittedChangeRate extends TimeSpan {
  /** Expected updates over the time that curves cover; null where none does. */
  readonly changeRate: PerSecond | null
  readonly expectedUpdates: number
  /** Time of the span inside windows that could be fitted. */
  readonly covered: Seconds
}

/**
 * The mean change rate between two dates, from the curve of each window that
 * reaches into them. Smoother than counting when the dates are close together,
 * and able to tell the ends of a window apart; it says nothing outside the
 * windows. O(points).
 */
export function fittedChangeRate(
  windows: readonly ConsistentWindow[],
  { from, to, estimator = weibullTrend() }: TimeSpan & { readonly estimator?: TrendEstimator },
): FittedChangeRate {
  let expected = 0
  let covered = 0
  for (const window of windows) {
    const start = Math.max(0, from - window.origin)
    const end = Math.min(window.times.at(-1) ?? 0, to - window.origin)
    if (!(start < end)) continue
    const { law } = estimator.fit(window.times)
    const updates = law && (expectedUpdates(law, end) ?? 0) - (expectedUpdates(law, start) ?? 0)
    if (updates === null) continue
    expected += updates
    covered += end - start
  }
  return {
    from,
    to,
    changeRate: covered > 0 ? finite(expected / covered) : null,
    expectedUpdates: expected,
    covered,
  }
}
