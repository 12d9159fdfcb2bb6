import { OptionError } from '../../model/errors.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { checkLevel } from '../rate/likelihood.js'
import type { ConsistentWindow } from './consistent-windows.js'
import {
  expectedUpdates,
  finite,
  type TrendCurve,
  type TrendEstimator,
  type TrendVerdict,
  timeOfExpected,
} from './trend-curve.js'
import { weibullTrend } from './weibull.js'
import type { WindowState } from './window-rule.js'

export interface WaitOptions {
  /**
   * Share of the mean time to wait in a window whose change rate is falling,
   * above 0 and up to 1: growing gaps are foreseen too long when the fall
   * ends. Default 0.7, the paper's; 1 sets no bound.
   */
  readonly alpha?: number
  /**
   * What follows a premature visit, which the paper leaves open: wait by the
   * curve as it stands at that visit (default), or as long as after the update.
   */
  readonly afterPremature?: 'wait-by-curve' | 'same-wait'
}

/** How long to wait for the next update, by the curve of the latest window. */
export class WaitRule {
  readonly #alpha: number
  readonly #sameWait: boolean

  constructor({ alpha = 0.7, afterPremature = 'wait-by-curve' }: WaitOptions) {
    if (!(alpha > 0 && alpha <= 1))
      throw new OptionError('bad-alpha', 'alpha must lie above 0 and up to 1, such as 0.7')
    this.#alpha = alpha
    this.#sameWait = afterPremature === 'same-wait'
  }

  /** The bound on the wait: 1 unless the change rate is falling. */
  alphaIn(state: WindowState): number {
    return state === 'decreasing' ? this.#alpha : 1
  }

  /** The mean time to wait, before alpha: `last` update, `from` the last visit, since the origin. */
  mtbu(
    curve: Pick<TrendCurve, 'mtbu'>,
    { last, from }: { last: Seconds; from: Seconds },
  ): Seconds | null {
    return curve.mtbu(this.#sameWait ? last : from)
  }
}

export interface PredictOptions extends WaitOptions {
  /** Default: Weibull by maximum likelihood. */
  readonly estimator?: TrendEstimator
  /** The last visit, if it came after the window's last update and found nothing new. */
  readonly unchangedAt?: UnixSeconds
  /** Level of the bounds; 0.95 by default. */
  readonly level?: number
}

/** When the next update is due; all null with a verdict other than `ok`. */
export interface NextUpdate {
  readonly at: UnixSeconds | null
  /** Mean time between updates at the end of the window, before alpha. */
  readonly mtbu: Seconds | null
  /** The alpha that was applied: 1 unless the change rate is falling. */
  readonly alpha: number
  /**
   * Between these times the next update comes with the given chance, if the
   * page goes on as in the window; `median` has half on each side.
   */
  readonly bounds: {
    readonly low: UnixSeconds
    readonly high: UnixSeconds
    readonly level: number
  } | null
  readonly median: UnixSeconds | null
  readonly verdict: TrendVerdict
}

/**
 * The next update after the end of a window: t_next = t + alpha MTBU(t), from
 * four points on, the paper's shortest window: with fewer, one long first gap
 * makes a curve that runs away. A last visit that found nothing since counts in
 * the fit, where the estimator can hear of it.
 *
 * The bounds are the estimator's own (Weibull: with the uncertainty of its
 * curve). Else they come from the chance of no update, e^-(mu(s) - mu(t)),
 * solved for s, which takes the curve for the truth: too narrow with few
 * points. O(n) for the fit.
 *
 * Singh 2007, sections 2 and 5.
 */
export function predictNext(window: ConsistentWindow, options: PredictOptions = {}): NextUpdate {
  const { estimator = weibullTrend() } = options
  const level = checkLevel(options.level)
  const rule = new WaitRule(options)
  const { origin, state, times } = window
  const last = times.at(-1) ?? 0
  const from = Math.max(last, (options.unchangedAt ?? -Infinity) - origin)
  const curve = estimator.fit(times, { until: from })
  const alpha = rule.alphaIn(state)
  if (curve.verdict !== 'ok') return unknown({ alpha, verdict: curve.verdict })
  const mtbu = rule.mtbu(curve, { last, from })
  const quantile = quantileAfter(curve, { from, origin })
  const low = quantile((1 - level) / 2)
  const high = quantile((1 + level) / 2)
  return {
    at: mtbu === null ? null : origin + from + alpha * mtbu,
    mtbu,
    alpha,
    bounds: low === null || high === null ? null : { low, high, level },
    median: quantile(0.5),
    verdict: curve.verdict,
  }
}

/** No prediction, and why. */
export function unknown(about: Pick<NextUpdate, 'alpha' | 'verdict'>): NextUpdate {
  return { at: null, mtbu: null, bounds: null, median: null, ...about }
}

/** The time by which the next update has come with chance p, given none until `from`. */
function quantileAfter(
  curve: TrendCurve,
  { from, origin }: { from: Seconds; origin: UnixSeconds },
): (p: number) => UnixSeconds | null {
  const { law } = curve
  const sofar = law === null ? null : expectedUpdates(law, from)
  const byLaw = (p: number) =>
    law === null || sofar === null ? null : timeOfExpected(law, sofar - Math.log1p(-p))
  return (p) => {
    const t = curve.next === undefined ? byLaw(p) : curve.next(p)
    return t === null ? null : finite(origin + Math.max(from, t))
  }
}
