import { DAY, OptionError, type Seconds, type UnixSeconds } from '../../model/index.js'
import type { TrendCurve, TrendEstimator } from './trend-curve.js'
import type { UpdateSeries } from './update-points.js'
import { type WaitOptions, WaitRule } from './wait-rule.js'
import { weibullTrend } from './weibull.js'
import { WindowFollower } from './window-follower.js'
import { initialPoints } from './window-growth.js'
import { type WindowOptions, windowRule } from './window-rule.js'

export interface ReplayOptions {
  readonly windows?: WindowOptions
  readonly predict?: WaitOptions & { readonly estimator?: TrendEstimator }
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
 * window's mean gap. O(updates x points of a window + visits).
 *
 * Singh 2007, section 5, Table 3.
 */
export function replayPrediction(
  series: Pick<UpdateSeries, 'origin' | 'until'> & {
    readonly points: ReadonlyArray<{ readonly at: UnixSeconds }>
  },
  { windows = {}, predict = {}, shortestWait = DAY }: ReplayOptions = {},
): ReplayResult {
  if (!(shortestWait > 0))
    throw new OptionError('bad-wait', 'shortestWait must be above 0, or the replay never ends')
  const { origin, points, until } = series
  const visitor = new Visitor(predict, new WindowFollower({ origin, rule: windowRule(windows) }))
  let seen = Math.min(initialPoints, points.length)
  for (let i = 0; i < seen; i++) visitor.see(points[i]!.at)
  let now = points[seen - 1]?.at ?? until
  const count = { updates: points.length - seen, observed: 0, visits: 0, premature: 0 }
  for (;;) {
    now = Math.max(visitor.nextVisit(now), now + shortestWait)
    if (!(now <= until) || seen === points.length) break
    count.visits++
    const before = seen
    while (seen < points.length && points[seen]!.at <= now) seen++
    if (seen === before) count.premature++
    else {
      count.observed++
      visitor.see(points[seen - 1]!.at)
    }
  }
  return { ...count, unobserved: count.updates - count.observed }
}

/** Whoever visits when the latest window says so; fits once an update seen. */
class Visitor {
  readonly #estimator: TrendEstimator
  readonly #rule: WaitRule
  readonly #window: WindowFollower
  #curve: TrendCurve | null = null

  constructor(
    { estimator = weibullTrend(), ...wait }: NonNullable<ReplayOptions['predict']>,
    window: WindowFollower,
  ) {
    this.#estimator = estimator
    this.#rule = new WaitRule(wait)
    this.#window = window
  }

  see(at: UnixSeconds): void {
    this.#window.take(at)
    this.#curve = null
  }

  nextVisit(now: UnixSeconds): UnixSeconds {
    const { origin, times, state } = this.#window
    this.#curve ??= this.#estimator.fit(times)
    const last = times[times.length - 1] ?? 0
    const from = Math.max(last, now - origin)
    const mtbu = this.#rule.mtbu(this.#curve, { last, from })
    if (mtbu === null) return now + last / Math.max(1, times.length)
    return origin + from + this.#rule.alphaIn(state) * mtbu
  }
}
