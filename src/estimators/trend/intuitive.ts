import type { Seconds } from '../../model/units.js'
import {
  finite,
  hasNumbers,
  noCurve,
  periodOf,
  type TrendCurve,
  type TrendEstimator,
  verdictOfTimes,
} from './trend-curve.js'

const method = 'intuitive'

/**
 * Updates so far over time so far, N(t)/t. Right for a constant change rate,
 * late to notice any other. One point is enough. Fit O(n), each value O(log n).
 *
 * Singh 2007, section 3.1.
 */
export const intuitiveTrend: TrendEstimator = {
  name: method,
  summary: 'Updates so far over time so far; for a steady page.',
  fit(times, { until = 0 } = {}) {
    const points = times.length
    const verdict = verdictOfTimes(times, { needs: 1 })
    if (!hasNumbers(verdict)) return noCurve({ method, verdict, points })
    const changeRate = (t: Seconds) => (t > 0 ? finite(countUpTo(times, t) / t) : null)
    return {
      method,
      verdict,
      points,
      law: { exponent: 1, at: Math.max(until, times[points - 1]!), expected: points },
      changeRate,
      mtbu: (t) => periodOf(changeRate(t)),
    } satisfies TrendCurve
  },
}

/** N(t): how many of the ascending times are at most t. */
function countUpTo(times: readonly Seconds[], t: Seconds): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= t) low = middle + 1
    else high = middle
  }
  return low
}
