import { normalTail, sum } from '../../numeric/index.js'

/** What the change rate does, where the data are enough to say. */
export type TrendDirection = 'falling' | 'steady' | 'rising'

/** Updates counted in one stretch of time. */
export interface StretchCount {
  /** When: any number that grows with time, such as the year. */
  readonly at: number
  readonly count: number
  /** Time watched. */
  readonly exposure: number
}

export interface CountTrend {
  /** Standard normal if the change rate is the same throughout; null where it cannot be told. */
  readonly statistic: number | null
  readonly pValue: number | null
  readonly direction: TrendDirection | null
}

/**
 * Whether the change rate moves from stretch to stretch: the score test of a
 * log-linear trend in Poisson counts, given their total. Two-sided; the normal
 * law is rough below about ten updates in all. `steady` means not shown to
 * move at the 5% level. O(stretches).
 *
 * Cox & Lewis 1966, section 3.3, for counts with exposures.
 */
export function countTrend(
  stretches: readonly StretchCount[],
  { significance = 0.05 }: { readonly significance?: number } = {},
): CountTrend {
  const used = stretches.filter((each) => each.exposure > 0)
  const exposure = sum(used.map((each) => each.exposure))
  const count = sum(used.map((each) => each.count))
  const share = (each: StretchCount) => each.exposure / exposure
  const centre = sum(used.map((each) => share(each) * each.at))
  const spread = sum(used.map((each) => share(each) * (each.at - centre) ** 2))
  const score = sum(used.map((each) => each.count * (each.at - centre)))
  const statistic = score / Math.sqrt(count * spread)
  if (!Number.isFinite(statistic)) return { statistic: null, pValue: null, direction: null }
  const pValue = Math.min(1, 2 * normalTail(Math.abs(statistic)))
  return { statistic, pValue, direction: directionOf({ pValue, significance, statistic }) }
}

/** A positive statistic means more updates late. */
export function directionOf(test: {
  readonly pValue: number
  readonly significance: number
  readonly statistic: number
}): TrendDirection {
  if (test.pValue > test.significance) return 'steady'
  return test.statistic > 0 ? 'rising' : 'falling'
}
