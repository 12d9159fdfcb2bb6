import { DAY, type Seconds } from '../../model/index.js'
import { fitLine } from '../../numeric/index.js'
import { changeRateAt, expectedUpdates, isUsable, type PowerLaw, periodOf } from './power-law.js'
import { noCurve, type TrendCurve, type TrendEstimator } from './trend-curve.js'
import { hasNumbers, verdictOfTimes } from './trend-verdict.js'

export interface DuaneOptions {
  /**
   * Whether the change rate is the one at the moment, (1-gamma) t^-gamma / alpha
   * (the default), or the mean since the origin, t^-gamma / alpha, which is the
   * one the paper prints as lambda(t).
   */
  readonly rateOver?: 'moment' | 'since-origin'
  /**
   * alpha is the exponential of the line's intercept (the default). Section 3.4
   * of the paper says that the intercept itself is alpha; `un-exponentiated`
   * takes it so, because only then "Duane catches most updates" reproduces:
   * the intercept is near 0, so it visits far too often. The result then
   * depends on the unit of time.
   */
  readonly intercept?: 'exponential' | 'un-exponentiated'
  /** The unit of time in which the logarithms are taken, in seconds; a day, as in the paper. */
  readonly unit?: Seconds
}

/** The line ln(t_i / i) = ln alpha + gamma ln t through the Duane plot, in the given unit. */
export interface DuaneCurve extends TrendCurve {
  /** gamma: below 0 the change rate rises, above 0 it falls; always below 1. */
  readonly slope: number | null
  /** alpha, the mean time between updates at t = 1 unit, in units. */
  readonly alpha: number | null
}

export interface DuaneTrend extends TrendEstimator {
  fit(times: readonly Seconds[]): DuaneCurve
}

/**
 * A straight line through the cumulative mean gaps t_i / i on log-log paper,
 * by least squares. Early points weigh as much as late ones, which hold the
 * evidence of all before them: expect more scatter than Weibull. O(n).
 *
 * Duane 1964; Singh 2007, sections 3.3 and 3.4.
 */
export function duaneTrend(options: DuaneOptions = {}): DuaneTrend {
  const { rateOver = 'moment', intercept = 'exponential', unit = DAY } = options
  const parts = [
    'duane',
    rateOver === 'since-origin' ? 'cumulative' : '',
    intercept === 'exponential' ? '' : intercept,
  ]
  const method = parts.filter((part) => part !== '').join('-')
  return {
    name: method,
    summary: 'A line through cumulative mean gaps on log-log paper; made to be looked at.',
    fit: (times) => fitDuane(times, { rateOver, intercept, unit, method }),
  }
}

function fitDuane(
  times: readonly Seconds[],
  { rateOver, intercept, unit, method }: Required<DuaneOptions> & { method: string },
): DuaneCurve {
  const points = times.length
  const none = { slope: null, alpha: null }
  const verdict = verdictOfTimes(times, { needs: 3 })
  if (!hasNumbers(verdict)) return { ...noCurve({ method, verdict, points }), ...none }
  const plot = duanePlot(times.map((t) => t / unit))
  const x = plot.map(({ time }) => Math.log(time))
  const line = fitLine(
    x,
    plot.map(({ meanGap }) => Math.log(meanGap)),
  )
  if (x[0] === x[points - 1])
    return { ...noCurve({ method, verdict: 'no-spread', points }), ...none }
  const alpha = intercept === 'exponential' ? Math.exp(line.intercept) : line.intercept
  if (alpha <= 0 && intercept === 'un-exponentiated')
    return { ...noCurve({ method, verdict: 'intercept-not-positive', points }), ...none }
  // Stated at the last point, not at one unit of time: far from the data the power overflows.
  const last = x[points - 1]!
  const exponent = 1 - line.slope
  const expected = Math.exp(
    exponent * last - (intercept === 'exponential' ? line.intercept : Math.log(alpha)),
  )
  const law: PowerLaw = { exponent, at: times[points - 1]!, expected }
  if (!isUsable(law)) return { ...noCurve({ method, verdict: 'out-of-range', points }), ...none }
  const changeRate = (t: Seconds) =>
    rateOver === 'moment' ? changeRateAt(law, t) : meanChangeRate(law, t)
  return {
    method,
    verdict,
    points,
    law,
    slope: line.slope,
    alpha: Number.isFinite(alpha) && alpha > 0 ? alpha : null,
    changeRate,
    mtbu: (t) => periodOf(changeRate(t)),
  }
}

function meanChangeRate(law: PowerLaw, t: Seconds): number | null {
  const updates = expectedUpdates(law, t)
  return t > 0 && updates !== null && Number.isFinite(updates / t) ? updates / t : null
}

/** The points of the Duane plot: time since the origin against the mean gap so far, t_i / i. */
export function duanePlot(times: readonly Seconds[]): { time: Seconds; meanGap: Seconds }[] {
  return times.map((time, i) => ({ time, meanGap: time / (i + 1) }))
}
