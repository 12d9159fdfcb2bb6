import { OptionError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import { gammaP, gammaQ, normalTail } from '../../numeric/special-functions.js'
import { sum } from '../../numeric/summary.js'
import { hasNumbers, type TrendVerdict, verdictOfTimes } from './trend-curve.js'

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
  /** Standard normal if the change rate is the same throughout; null where it cannot be known. */
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
function directionOf(test: {
  readonly pValue: number
  readonly significance: number
  readonly statistic: number
}): TrendDirection {
  if (test.pValue > test.significance) return 'steady'
  return test.statistic > 0 ? 'rising' : 'falling'
}

export interface TrendTestOptions {
  /**
   * Until when updates were looked for, on the same clock as the times. The
   * default is the last update itself: then that one tells nothing and the
   * tests work with one point less.
   */
  readonly until?: Seconds
  /** A trend is claimed at p-values up to this. Default 0.05. */
  readonly significance?: number
}

/** Is the change rate falling, steady or rising? Nulls where the verdict has no numbers. */
export interface TrendTest {
  readonly test: 'mil-hdbk-189'
  /** Chi-square with `freedom`. */
  readonly statistic: number | null
  readonly freedom: number | null
  /** Two-sided: how often a steady page looks at least as far from steady. */
  readonly pValue: number | null
  /** `steady` means that no trend was shown, not that there is none. */
  readonly direction: TrendDirection | null
  readonly verdict: TrendVerdict
}

/**
 * The test of MIL-HDBK-189: twice the sum of ln(until / t_i) is chi-square
 * under a constant change rate, exactly, for any number of points. Best
 * against a power of time, which is what the Weibull curve fits: it asks
 * whether its shape differs from 1. At least 3 points. O(n).
 *
 * MIL-HDBK-189 1981; Crow 1974.
 */
export function militaryHandbookTest(
  times: readonly Seconds[],
  options: TrendTestOptions = {},
): TrendTest {
  const { verdict, inside, until, significance } = prepare(times, options)
  if (!hasNumbers(verdict)) return unknown(verdict)
  const half = sum(inside.map((t) => Math.log(until) - Math.log(t)))
  const below = gammaP(inside.length, half)
  const above = gammaQ(inside.length, half)
  const pValue = Math.min(1, 2 * Math.min(below, above))
  // Late updates make the sum small.
  const direction = directionOf({ pValue, significance, statistic: above - below })
  return {
    test: 'mil-hdbk-189',
    statistic: 2 * half,
    freedom: 2 * inside.length,
    pValue,
    direction,
    verdict,
  }
}

function prepare(times: readonly Seconds[], options: TrendTestOptions) {
  const { significance = 0.05 } = options
  if (!(significance > 0 && significance < 1))
    throw new OptionError('bad-significance', 'give a number between 0 and 1, such as 0.05')
  const verdict = verdictOfTimes(times, { needs: 3 })
  const last = times.at(-1) ?? 0
  const until = options.until ?? last
  if (hasNumbers(verdict) && !(until >= last && until < Infinity))
    throw new OptionError('bad-until', 'until must not lie before the last update')
  return { verdict, inside: until > last ? times : times.slice(0, -1), until, significance }
}

function unknown(verdict: TrendVerdict): TrendTest {
  return {
    test: 'mil-hdbk-189',
    statistic: null,
    freedom: null,
    pValue: null,
    direction: null,
    verdict,
  }
}
