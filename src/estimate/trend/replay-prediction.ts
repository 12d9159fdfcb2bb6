import { DAY, OptionError, type Seconds } from '../../model/index.js'
import { type ConsistentWindow, windowFrom } from './consistent-windows.js'
import { followWindow } from './follow-window.js'
import { type PredictOptions, predictNext } from './predict-next.js'
import type { UpdatePoint, UpdateSeries } from './update-points.js'
import { initialPoints } from './window-growth.js'
import { type WindowOptions, windowRule } from './window-rule.js'

export interface ReplayOptions {
  readonly windows?: WindowOptions
  readonly predict?: Omit<PredictOptions, 'unchangedAt'>
  /** Two visits are never closer together than this. Default: a day, the paper's unit. */
  readonly shortestWait?: Seconds
}

/** What visiting at the predicted times would have seen. */
export interface ReplayResult {
  /** Updates after the first window, which is given. */
  readonly updates: number
  readonly observed: number
  /** Overwritten by a later update before a visit came, or never seen. */
  readonly unobserved: number
  readonly visits: number
  /** Visits that found nothing new. */
  readonly premature: number
}

/**
 * Runs the prediction over known updates: the first three are given, then each
 * visit is made when the next update is due, sees the latest update if there
 * is one, and the window follows. A curve that gives no time waits the
 * window's mean gap. O(visits x points of a window).
 *
 * Singh 2007, section 5, Table 3.
 */
export function replayPrediction(
  series: UpdateSeries,
  { windows = {}, predict = {}, shortestWait = DAY }: ReplayOptions = {},
): ReplayResult {
  if (!(shortestWait > 0))
    throw new OptionError('bad-wait', 'shortestWait must be above 0, or the replay never ends')
  const { points, until } = series
  let window = firstWindow(series, windows)
  let seen = window.points.length
  let now = window.points.at(-1)?.at ?? until
  const count = { updates: points.length - seen, observed: 0, visits: 0, premature: 0 }
  for (;;) {
    now = Math.max(nextVisit(window, { now, predict }), now + shortestWait)
    if (!(now <= until) || seen === points.length) break
    count.visits++
    const before = seen
    while (seen < points.length && points[seen]!.at <= now) seen++
    if (seen === before) count.premature++
    else {
      count.observed++
      window = followWindow(window, { point: points[seen - 1]!, options: windows }).window
    }
  }
  return { ...count, unobserved: count.updates - count.observed }
}

function firstWindow(series: UpdateSeries, options: WindowOptions): ConsistentWindow {
  const { origin, points } = series
  const empty = windowFrom(
    { origin, points: [], state: 'constant', merged: 0 },
    windowRule(options),
  )
  const take = (window: ConsistentWindow, point: UpdatePoint) =>
    followWindow(window, { point, options }).window
  return points.slice(0, initialPoints).reduce(take, empty)
}

function nextVisit(
  window: ConsistentWindow,
  { now, predict }: { now: Seconds; predict: PredictOptions },
): Seconds {
  const { at } = predictNext(window, { ...predict, unchangedAt: now })
  return at ?? now + (window.times.at(-1) ?? 0) / Math.max(1, window.points.length)
}
