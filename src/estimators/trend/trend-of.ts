import type { History } from '../../model/history.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { irregularMle } from '../rate/irregular-mle.js'
import { type ConsistentWindow, consistentWindows } from './consistent-windows.js'
import { type NextUpdate, type PredictOptions, predictNext, unknown } from './predict-next.js'
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
import { type KnownState, type StateRule, type TimedUpdates, windowState } from './window-state.js'

/**
 * Whether visits came often enough for seen changes to count as updates, which
 * every fit of update points assumes ("assuming that m(i) is small"). Not so
 * where they are fewer than the least that the gaps themselves allow, by the
 * lower likelihood bound at 95%: then the points show the visits, not the page.
 *
 * Singh 2007, section 1.1; the bound is ours, for the paper names none. O(n).
 */
function countsUpdates(history: History): boolean {
  const { bounds, evidence } = irregularMle.estimate(history)
  return bounds === null || evidence.changes / evidence.samplingPeriod >= bounds.low
}

export interface TrendOptions {
  readonly points?: UpdatePointOptions
  readonly windows?: WindowOptions
  /** Default: Weibull by maximum likelihood. */
  readonly estimator?: TrendEstimator
  readonly predict?: Omit<PredictOptions, 'estimator' | 'unchangedAt'>
  /** What a window's state goes by, and so whether alpha bounds its prediction. Default: fit. */
  readonly state?: StateRule
  /** A trend over the whole history is claimed at p-values up to this. Default 0.05. */
  readonly significance?: number
}

/** A window with what was fitted to it. */
export interface FittedWindow extends KnownState {
  /** As it was cut: its own state is the paper's. */
  readonly window: ConsistentWindow
  /** Its last update; for the last window the last visit, for nothing was seen since. */
  readonly until: UnixSeconds
  readonly curve: TrendCurve
  /**
   * Mean time between updates there, by the form that is unbiased; null under
   * four points and where updates were missed.
   */
  readonly mtbuAtEnd: Seconds | null
}

/** All that this room can tell of a page. */
export interface Trend {
  readonly series: UpdateSeries
  readonly windows: readonly FittedWindow[]
  /** Over the whole history. */
  readonly test: TrendTest
  /** Whether seen changes can be counted as updates; where not, the rate shown is that of the visits. */
  readonly counted: boolean
  /** From the last window; null where no update was seen. */
  readonly next: NextUpdate | null
}

/** Update points, windows with their curves, the trend over all, and the next update. O(n). */
export function trendOf(history: History, options: TrendOptions = {}): Trend {
  const { significance = 0.05 } = options
  const series = updatePoints(history, options.points)
  const counted = countsUpdates(history)
  const cut = consistentWindows(series, options.windows)
  const times = elapsedSince(series.origin, series.points)
  const whole = { times, until: series.until - series.origin }
  return {
    series,
    windows: cut.map((window, i) => {
      const until = i === cut.length - 1 ? series.until : lastOf(window)
      return fitted(window, { until, counted, whole, ...options })
    }),
    test: militaryHandbookTest(times, { until: whole.until, significance }),
    counted,
    next: nextOf(cut.at(-1), { until: series.until, counted, whole, ...options }),
  }
}

interface Seen extends TrendOptions {
  readonly until: UnixSeconds
  readonly counted: boolean
  readonly whole: TimedUpdates
}

function fitted(
  window: ConsistentWindow,
  { until, counted, whole, estimator, state: rule = 'fit' }: Seen,
): FittedWindow {
  const end = { until: until - window.origin }
  const curve = (estimator ?? weibullTrend()).fit(window.times, end)
  const stated = (estimator ?? weibullTrend({ form: 'unbiased' })).fit(window.times, end)
  const known = counted && stated.verdict === 'ok'
  const state = windowState({ ...window, ...end }, { rule, whole })
  return { window, ...state, until, curve, mtbuAtEnd: known ? stated.mtbu(end.until) : null }
}

function nextOf(
  window: ConsistentWindow | undefined,
  { until, counted, whole, estimator = weibullTrend(), predict, state: rule = 'fit' }: Seen,
): NextUpdate | null {
  if (window === undefined) return null
  const { state } = windowState({ ...window, until: until - window.origin }, { rule, whole })
  const next = predictNext({ ...window, state }, { ...predict, estimator, unchangedAt: until })
  if (counted || next.verdict !== 'ok') return next
  return unknown({ alpha: next.alpha, verdict: 'visits-too-rare' })
}

function lastOf({ origin, points }: ConsistentWindow): UnixSeconds {
  return points.at(-1)?.at ?? origin
}
