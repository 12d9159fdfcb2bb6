import { type ComparedWindow, type EstimatorComparison, EstimatorTally } from './estimator-tally.js'
import type { ErrorMeasure } from './prediction-error.js'
import type { TrendEstimator } from './trend-curve.js'

/**
 * Fits every estimator to every window and counts which is nearest: the
 * paper's Tables 1 and 2. `EstimatorTally` takes windows one at a time.
 */
export function compareEstimators(
  windows: Iterable<ComparedWindow>,
  about: { readonly estimators: readonly TrendEstimator[]; readonly measure: ErrorMeasure },
): EstimatorComparison {
  const tally = new EstimatorTally(about)
  for (const window of windows) tally.add(window)
  return tally.result()
}
