import type { Seconds, UnixSeconds } from '../../model/index.js'
import { checkLevel } from '../rate/likelihood-bounds.js'
import type { ConsistentWindow } from './consistent-windows.js'
import { expectedUpdates, timeOfExpected } from './power-law.js'
import type { TrendCurve, TrendEstimator } from './trend-curve.js'
import type { TrendVerdict } from './trend-verdict.js'
import { type WaitOptions, WaitRule } from './wait-rule.js'
import { weibullTrend } from './weibull.js'

export interface PredictOptions extends WaitOptions {
  /** Default: Weibull by maximum likelihood. */
  readonly estimator?: TrendEstimator
  /** The last visit, if it came after the window's last update and found nothing new. */
  readonly unchangedAt?: UnixSeconds
  /** Level of the bounds; 0.95 unless said. */
  readonly level?: number
}

/** When the next update is due; all null with a verdict that carries no numbers. */
export interface NextUpdate {
  readonly at: UnixSeconds | null
  /** Mean time between updates at the end of the window, before alpha. */
  readonly mtbu: Seconds | null
  /** The alpha that was applied: 1 unless the change rate is falling. */
  readonly alpha: number
  /**
   * Between these times the next update comes with the given chance, if the
   * fitted curve were the truth and went on; `median` has half on each side.
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
 * The next update after the end of a window: t_next = t + alpha MTBU(t).
 *
 * The bounds come from the chance of no update, e^-(mu(s) - mu(t)), solved for
 * s; they leave out that the curve itself is uncertain, so with few points
 * they are too narrow. O(n) for the fit.
 *
 * Singh 2007, sections 2 and 5.
 */
export function predictNext(window: ConsistentWindow, options: PredictOptions = {}): NextUpdate {
  const { estimator = weibullTrend() } = options
  const level = checkLevel(options.level)
  const rule = new WaitRule(options)
  const { origin, state, times } = window
  const curve = estimator.fit(times)
  const last = times.at(-1) ?? 0
  const from = Math.max(last, (options.unchangedAt ?? -Infinity) - origin)
  const alpha = rule.alphaIn(state)
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

/** The time by which the next update has come with chance p, given none until `from`. */
function quantileAfter(
  { law }: TrendCurve,
  { from, origin }: { from: Seconds; origin: UnixSeconds },
): (p: number) => UnixSeconds | null {
  const sofar = law === null ? null : expectedUpdates(law, from)
  return (p) => {
    if (law === null || sofar === null) return null
    const t = timeOfExpected(law, sofar - Math.log1p(-p))
    return t === null ? null : origin + Math.max(from, t)
  }
}
