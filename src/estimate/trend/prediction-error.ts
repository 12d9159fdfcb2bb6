import type { Seconds } from '../../model/index.js'
import { sum } from '../../numeric/index.js'
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

interface Held {
  readonly curve: Pick<TrendCurve, 'mtbu'>
  readonly measure?: ErrorMeasure
}

/**
 * How far a curve is from the points of its window; null where it gives no
 * number at one of them, or there is none to measure. O(n) evaluations.
 *
 * Singh 2007, sections 3.5 and 5.
 */
export function predictionError(times: readonly Seconds[], held: Held): PredictionError | null {
  const mse = meanSquaredError(times, held)
  if (mse === null) return null
  const errors: Seconds[] = []
  for (let i = firstMeasured(held); i < times.length; i++) errors.push(errorAt(times, i, held)!)
  return { errors, sum: sum(errors), mse }
}

/** The same, its mean square only. */
export function meanSquaredError(times: readonly Seconds[], held: Held): number | null {
  const first = firstMeasured(held)
  let squares = 0
  for (let i = first; i < times.length; i++) {
    const error = errorAt(times, i, held)
    if (error === null) return null
    squares += error * error
  }
  const mse = squares / (times.length - first)
  return Number.isFinite(mse) ? mse : null
}

/** One step ahead there is nothing before the first point to foresee it from. */
function firstMeasured({ measure }: Held): number {
  return measure === 'literal' ? 0 : 1
}

function errorAt(times: readonly Seconds[], i: number, { curve, measure }: Held): Seconds | null {
  const before = i === 0 ? 0 : times[i - 1]!
  const mtbu = curve.mtbu(measure === 'literal' ? times[i]! : before)
  return mtbu === null ? null : mtbu - (times[i]! - before)
}
