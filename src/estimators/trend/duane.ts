import { DAY, type Seconds } from '../../model/units.js'
import { fitLine } from '../../numeric/summary.js'
import {
  changeRateAt,
  expectedUpdates,
  finite,
  hasNumbers,
  isUsable,
  noCurve,
  type PowerLaw,
  periodOf,
  type TrendCurve,
  type TrendEstimator,
  type TrendVerdict,
  verdictOfTimes,
} from './trend-curve.js'

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
 * evidence of all before them: expect more scatter than Weibull. A line through
 * the updates cannot see the silence after the last one. O(n).
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
  { rateOver, method, ...reading }: Required<DuaneOptions> & { method: string },
): DuaneCurve {
  const points = times.length
  const none = (verdict: TrendVerdict): DuaneCurve => ({
    ...noCurve({ method, verdict, points }),
    slope: null,
    alpha: null,
  })
  const verdict = verdictOfTimes(times, { needs: 3 })
  if (!hasNumbers(verdict)) return none(verdict)
  const line = duaneLine(times, reading)
  if (typeof line === 'string') return none(line)
  const { law, slope, alpha } = line
  const changeRate = (t: Seconds) =>
    rateOver === 'moment' ? changeRateAt(law, t) : meanChangeRate(law, t)
  const mtbu = (t: Seconds) => periodOf(changeRate(t))
  return { method, verdict, points, law, slope, alpha, changeRate, mtbu }
}

interface DuaneLine {
  readonly law: PowerLaw
  readonly slope: number
  readonly alpha: number | null
}

/** The line and its law, stated at the last point: far from the data the power overflows. */
function duaneLine(
  times: readonly Seconds[],
  { intercept, unit }: Required<Omit<DuaneOptions, 'rateOver'>>,
): DuaneLine | TrendVerdict {
  const x: number[] = []
  const y: number[] = []
  for (let i = 0; i < times.length; i++) {
    x.push(Math.log(times[i]! / unit))
    y.push(x[i]! - Math.log(i + 1))
  }
  const last = x[x.length - 1]!
  if (x[0] === last) return 'no-spread'
  const line = fitLine(x, y)
  if (intercept === 'un-exponentiated' && line.intercept <= 0) return 'intercept-not-positive'
  const logAlpha = intercept === 'exponential' ? line.intercept : Math.log(line.intercept)
  const exponent = 1 - line.slope
  const law = {
    exponent,
    at: times[times.length - 1]!,
    expected: Math.exp(exponent * last - logAlpha),
  }
  if (!isUsable(law)) return 'out-of-range'
  const alpha = Math.exp(logAlpha)
  return { law, slope: line.slope, alpha: alpha > 0 ? finite(alpha) : null }
}

function meanChangeRate(law: PowerLaw, t: Seconds): number | null {
  const updates = expectedUpdates(law, t)
  return t > 0 && updates !== null ? finite(updates / t) : null
}

/** The points of the Duane plot: time since the origin against the mean gap so far, t_i / i. */
export function duanePlot(times: readonly Seconds[]): { time: Seconds; meanGap: Seconds }[] {
  return times.map((time, i) => ({ time, meanGap: time / (i + 1) }))
}
