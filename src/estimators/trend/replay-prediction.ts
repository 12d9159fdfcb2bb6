import { OptionError } from '../../model/errors.js'
import { DAY, type Seconds, type UnixSeconds } from '../../model/units.js'
import { reversed } from './consistent-windows.js'
import { type WaitOptions, WaitRule } from './predict-next.js'
import type { TrendCurve, TrendEstimator } from './trend-curve.js'
import type { UpdateSeries } from './update-points.js'
import { weibullTrend } from './weibull.js'
import {
  grownFrom,
  growthOver,
  initialPoints,
  initialState,
  WindowGrowth,
  type WindowOptions,
  type WindowRule,
  type WindowState,
  windowRule,
} from './window-rule.js'
import { type StateRule, type TimedUpdates, windowState } from './window-state.js'

/**
 * What a new update did to the window that was being followed:
 *
 * - `fits`: it belongs, or strays within the threshold
 * - `new-window`: it does not, and with the points before it makes a window of its own
 * - `noise`: it does not and they do not; it is kept in the window and counted
 */
export type FollowOutcome = 'fits' | 'new-window' | 'noise'

/**
 * The window that ends with the latest update, kept up to date in place. A
 * point that does not fit starts a new window if that can be: grown backward
 * from the new point, it must reach the minimum of points and yet be shorter
 * than the old window. Up to three points always fit: they tell the state.
 * A point that fits costs O(1), another O(points of the window).
 *
 * Singh 2007, section 5, the second experiment.
 */
export class WindowFollower {
  /** Where t = 0 lies: the point before the first. */
  origin: UnixSeconds
  /** Time of each point since the origin. */
  times: Seconds[] = []
  #points: UnixSeconds[] = []
  #gaps: Seconds[] = []
  #growth: WindowGrowth
  readonly #rule: WindowRule

  constructor({ origin, rule }: { origin: UnixSeconds; rule: WindowRule }) {
    this.origin = origin
    this.#rule = rule
    this.#growth = new WindowGrowth({ state: 'constant', rule })
  }

  /** Follows points that are known to make one window of a known state. */
  static over(
    points: Iterable<UnixSeconds>,
    about: { origin: UnixSeconds; state: WindowState; rule: WindowRule },
  ): WindowFollower {
    const follower = new WindowFollower(about)
    for (const at of points) follower.#append(at)
    follower.#growth = growthOver(follower.#gaps, about)
    return follower
  }

  get state(): WindowState {
    return this.#growth.state
  }

  take(at: UnixSeconds): FollowOutcome {
    this.#append(at)
    const gap = this.#gaps[this.#gaps.length - 1]!
    if (this.#gaps.length <= initialPoints) {
      this.#regrow(initialState(this.#gaps, this.#rule))
      return 'fits'
    }
    if (this.#growth.fits(gap)) {
      this.#growth.grow(gap)
      return 'fits'
    }
    const own = grownFrom([...this.#gaps].reverse(), { rule: this.#rule })
    if (own.count < this.#rule.minimumPoints || own.count >= this.#gaps.length) {
      this.#growth.grow(gap)
      return 'noise'
    }
    this.#startAnew(own)
    return 'new-window'
  }

  #append(at: UnixSeconds): void {
    this.#gaps.push(at - (this.#points[this.#points.length - 1] ?? this.origin))
    this.#points.push(at)
    this.times.push(at - this.origin)
  }

  #regrow(state: WindowState): void {
    this.#growth = growthOver(this.#gaps, { state, rule: this.#rule })
  }

  /** Keeps the last points only; a window grown backward sees rising as falling. */
  #startAnew({ count, state }: WindowGrowth): void {
    const kept = this.#points.length - count
    this.origin = this.#points[kept - 1]!
    this.#points = this.#points.slice(kept)
    this.times = this.#points.map((at) => at - this.origin)
    this.#gaps = this.#gaps.slice(kept)
    this.#regrow(reversed(state))
  }
}

export interface ReplayOptions {
  readonly windows?: WindowOptions
  readonly predict?: WaitOptions & {
    readonly estimator?: TrendEstimator
    /** What a window's state goes by. Default: paper, for this is its experiment. */
    readonly state?: StateRule
  }
  /** Two visits are never closer together than this. Default: a day, the paper's unit. */
  readonly shortestWait?: Seconds
  /** Whether a visit that came too early is followed by one after the shortest wait, whatever the curve says. Default: no. */
  readonly nextDayAfterPremature?: boolean
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
  {
    windows = {},
    predict = {},
    shortestWait = DAY,
    nextDayAfterPremature = false,
  }: ReplayOptions = {},
): ReplayResult {
  if (!(shortestWait > 0))
    throw new OptionError('bad-wait', 'shortestWait must be above 0, or the replay never ends')
  const { origin, points, until } = series
  const visitor = new Visitor(predict, new WindowFollower({ origin, rule: windowRule(windows) }))
  let seen = Math.min(initialPoints, points.length)
  for (let i = 0; i < seen; i++) visitor.see(points[i]!.at)
  let now = points[seen - 1]?.at ?? until
  const count = { updates: points.length - seen, observed: 0, visits: 0, premature: 0 }
  for (let soon = false; ; ) {
    now = soon ? now + shortestWait : Math.max(visitor.nextVisit(now), now + shortestWait)
    if (!(now <= until) || seen === points.length) break
    count.visits++
    const before = seen
    while (seen < points.length && points[seen]!.at <= now) seen++
    soon = nextDayAfterPremature && seen === before
    if (seen === before) count.premature++
    else {
      count.observed++
      visitor.see(points[seen - 1]!.at)
    }
  }
  return { ...count, unobserved: count.updates - count.observed }
}

/** As many updates as `consistentWindowLearner` keeps. */
const remembered = 24

/** Whoever visits when the latest window says so; fits once an update seen. */
class Visitor {
  readonly #estimator: TrendEstimator
  readonly #rule: WaitRule
  readonly #stateRule: StateRule
  readonly #window: WindowFollower
  /** The last updates seen, and the one before them. */
  readonly #latest: UnixSeconds[] = []
  #curve: TrendCurve | null = null
  #state: WindowState = 'constant'

  constructor(
    { estimator = weibullTrend(), state = 'paper', ...wait }: NonNullable<ReplayOptions['predict']>,
    window: WindowFollower,
  ) {
    this.#estimator = estimator
    this.#rule = new WaitRule(wait)
    this.#stateRule = state
    this.#window = window
  }

  see(at: UnixSeconds): void {
    this.#window.take(at)
    this.#latest.push(at)
    if (this.#latest.length > remembered + 1) this.#latest.shift()
    this.#curve = null
  }

  /** The latest updates since the one before them, as the learner of a crawler keeps them. */
  #whole(): TimedUpdates {
    const [origin = 0, ...rest] = this.#latest
    return { times: rest.map((at) => at - origin) }
  }

  nextVisit(now: UnixSeconds): UnixSeconds {
    const { origin, times } = this.#window
    if (this.#curve === null) {
      this.#curve = this.#estimator.fit(times)
      const rule = this.#stateRule
      this.#state = windowState(this.#window, { rule, whole: this.#whole() }).state
    }
    const last = times[times.length - 1] ?? 0
    const from = Math.max(last, now - origin)
    const mtbu = this.#rule.mtbu(this.#curve, { last, from })
    if (mtbu === null) return now + last / Math.max(1, times.length)
    return origin + from + this.#rule.alphaIn(this.#state) * mtbu
  }
}
