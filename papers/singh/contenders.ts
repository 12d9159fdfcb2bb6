import {
  duaneTrend,
  intuitiveTrend,
  paperThreshold,
  type TrendEstimator,
  type WindowOptions,
  weibullTrend,
} from 'revisit/estimators'

/** The paper's threshold of 3, read as days that each point may stray. */
export const paperWindows: WindowOptions = { threshold: paperThreshold }

/** The uncorrected shape, and Duane's line as the paper prints it: the mean change rate since the origin. */
const weibull = weibullTrend()
const duane = duaneTrend({ rateOver: 'since-origin' })

/** The form that section 3.2 ends with and says its experiments use; at four points or more. */
export const printedWeibull = weibullTrend({ form: 'printed-check' })

/** The three of Tables 1 and 2, in the paper's order. */
export const contenders: readonly TrendEstimator[] = [intuitiveTrend, weibull, duane]
export const contenderNames = ['intuitive', 'Weibull', 'Duane'] as const
export type ContenderName = (typeof contenderNames)[number]

/** Those of Table 3, and the readings of section 5 and 3.4. */
export interface Visitor {
  readonly name: string
  readonly estimator: TrendEstimator
  readonly alpha: number
  /** A premature visit is followed by one on the next day, instead of by the curve. */
  readonly nextDay?: boolean
}

export const visitors: readonly Visitor[] = [
  { name: 'intuitive', estimator: intuitiveTrend, alpha: 1 },
  { name: 'Weibull', estimator: weibull, alpha: 1 },
  { name: 'Duane', estimator: duane, alpha: 1 },
  { name: 'Weibull, alpha = 0.7', estimator: weibull, alpha: 0.7 },
  {
    name: 'Duane, bare intercept',
    estimator: duaneTrend({ rateOver: 'since-origin', intercept: 'un-exponentiated' }),
    alpha: 1,
  },
  {
    name: 'Duane, bare intercept, next day',
    estimator: duaneTrend({ rateOver: 'since-origin', intercept: 'un-exponentiated' }),
    alpha: 1,
    nextDay: true,
  },
  { name: 'intuitive, next day', estimator: intuitiveTrend, alpha: 1, nextDay: true },
  { name: 'Weibull, next day', estimator: weibull, alpha: 1, nextDay: true },
  { name: 'Duane, next day', estimator: duane, alpha: 1, nextDay: true },
  { name: 'Weibull, alpha = 0.7, next day', estimator: weibull, alpha: 0.7, nextDay: true },
]
