import type { Seconds } from '../../model/index.js'
import { mean, sum } from '../../numeric/index.js'
import type { TrendCurve } from './trend-curve.js'

/**
 * What a curve is held against:
 *
 * - `one-step-ahead`: the update foreseen from the one before it, t_{i-1} + MTBU(t_{i-1}), against
 *   t_i, from the second point on (MTBU(0) does not exist)
 * - `literal`: section 3.5 as printed, MTBU(t_i) against t_i - t_{i-1}. It favours the intuitive
 *   estimator, whose t_i / i already holds the gap it is held against
 */
export type ErrorMeasure = 'one-step-ahead' | 'literal'

export interface PredictionError {
  /** Predicted minus observed, one for each point measured. */
  readonly errors: readonly Seconds[]
  /** The paper's plain sum, which is 0 for a bad fit whose errors cancel. */
  readonly sum: Seconds
  /** Mean of the squared errors, in square seconds. */
  readonly mse: number
}

/**
 * How far a curve is from the points of its window; null where it gives no
 * number at one of them, or there is none to measure. O(n) evaluations.
 *
 * Singh 2007, sections 3.5 and 5.
 */
export function predictionError(
  times: readonly Seconds[],
  {
    curve,
    measure = 'one-step-ahead',
  }: { readonly curve: TrendCurve; readonly measure?: ErrorMeasure },
): PredictionError | null {
  const errors: Seconds[] = []
  for (let i = measure === 'literal' ? 0 : 1; i < times.length; i++) {
    const before = i === 0 ? 0 : times[i - 1]!
    const mtbu = curve.mtbu(measure === 'literal' ? times[i]! : before)
    if (mtbu === null) return null
    errors.push(mtbu - (times[i]! - before))
  }
  const mse = mean(errors.map((error) => error * error))
  return Number.isFinite(mse) ? { errors, sum: sum(errors), mse } : null
}
