import type { History } from '../../model/index.js'
import { type ConsistentWindow, consistentWindows } from './consistent-windows.js'
import { type NextUpdate, type PredictOptions, predictNext } from './predict-next.js'
import type { TrendCurve, TrendEstimator } from './trend-curve.js'
import { militaryHandbookTest, type TrendTest } from './trend-test.js'
import {
  elapsedSince,
  type UpdatePointOptions,
  type UpdateSeries,
  updatePoints,
} from './update-points.js'
import { weibullTrend } from './weibull.js'
import type { WindowOptions } from './window-rule.js'

export interface TrendOptions {
  readonly points?: UpdatePointOptions
  readonly windows?: WindowOptions
  /** Default: Weibull by maximum likelihood. */
  readonly estimator?: TrendEstimator
  readonly predict?: Omit<PredictOptions, 'estimator' | 'unchangedAt'>
  /** A trend over the whole history is claimed at p-values up to this. Default 0.05. */
  readonly significance?: number
}

/** All that this room can tell of a page. */
export interface Trend {
  readonly series: UpdateSeries
  readonly windows: ReadonlyArray<{ readonly window: ConsistentWindow; readonly curve: TrendCurve }>
  /** Over the whole history. */
  readonly test: TrendTest
  /** From the last window; null where no update was seen. */
  readonly next: NextUpdate | null
}

/** Update points, windows with their curves, the trend over all, and the next update. O(n). */
export function trendOf(history: History, options: TrendOptions = {}): Trend {
  const { estimator = weibullTrend(), significance = 0.05 } = options
  const series = updatePoints(history, options.points)
  const windows = consistentWindows(series, options.windows).map((window) => ({
    window,
    curve: estimator.fit(window.times),
  }))
  const times = elapsedSince(series.origin, series.points)
  const last = windows.at(-1)?.window
  const unchangedAt = series.until
  return {
    series,
    windows,
    test: militaryHandbookTest(times, { until: series.until - series.origin, significance }),
    next: last ? predictNext(last, { ...options.predict, estimator, unchangedAt }) : null,
  }
}
