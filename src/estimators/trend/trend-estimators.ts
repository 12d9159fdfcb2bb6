import { named } from '../../model/named-spec.js'
import { duaneTrend } from './duane.js'
import { intuitiveTrend } from './intuitive.js'
import type { TrendEstimator } from './trend-curve.js'
import { weibullForms, weibullTrend } from './weibull.js'

/** Every estimator of a change rate that rises or falls. */
export const trendEstimators: readonly TrendEstimator[] = [
  intuitiveTrend,
  ...weibullForms.map((form) => weibullTrend({ form })),
  duaneTrend(),
  duaneTrend({ rateOver: 'since-origin' }),
]

/** The one of that name; `corrected-lambda` is the form of the Weibull rate that Singh uses. */
export function trendEstimator(name: string): TrendEstimator {
  const asked = name === 'corrected-lambda' ? 'weibull-printed-check' : name
  return named(trendEstimators, { what: 'estimator', name: asked })
}
