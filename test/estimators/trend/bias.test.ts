import { describe, expect, it } from 'vitest'
import { type WeibullForm, weibullTrend } from '../../../src/estimators/trend/weibull.js'
import { Random } from '../../../src/numeric/random.js'
import { mean, variance } from '../../../src/numeric/summary.js'
import { powerLawTimes } from './series.js'

/**
 * Averages over 40,000 seeded windows of 8 points of a power law with shape
 * 1.4, against the constants recomputed in the shared oracles, within four
 * standard errors. The printed constant lies tens of standard errors away.
 */
const n = 8
const truth = { shape: 1.4, scale: 50 }
const random = new Random(31)
const windows = Array.from({ length: 40_000 }, () => powerLawTimes(random, { n, ...truth }))

function check(values: number[], { expected, not }: { expected: number; not?: number }): void {
  const error = Math.sqrt(variance(values) / values.length)
  expect(Math.abs(mean(values) - expected)).toBeLessThan(4 * error)
  if (not !== undefined) expect(Math.abs(mean(values) - not)).toBeGreaterThan(10 * error)
}

/** Estimated over true change rate at the end of each window. */
function ratios(form: WeibullForm): number[] {
  const trend = weibullTrend({ form })
  return windows.map((times) => {
    const end = times[n - 1]!
    const rate = (truth.shape / truth.scale) * (end / truth.scale) ** (truth.shape - 1)
    return trend.fit(times).changeRate(end)! / rate
  })
}

describe('the Weibull constants', () => {
  it('make the shape too high by n/(n-2), and the corrected one right (Lemma 1)', () => {
    const shapes = (form: WeibullForm) =>
      windows.map((times) => weibullTrend({ form }).fit(times).shape!)
    check(shapes('maximum-likelihood'), { expected: (truth.shape * n) / (n - 2), not: truth.shape })
    check(shapes('corrected-shape'), { expected: truth.shape })
  })

  it('make the change rate at t_n too high by n/(n-1), not (n-2)/(n-3)', () => {
    check(ratios('corrected-shape'), { expected: n / (n - 1), not: (n - 2) / (n - 3) })
    check(ratios('maximum-likelihood'), { expected: n ** 2 / ((n - 1) * (n - 2)) })
  })

  it('leave the printed forms too low, and ours right', () => {
    const printed = (n * (n - 3)) / ((n - 1) * (n - 2))
    check(ratios('printed-check'), { expected: printed, not: 1 })
    check(ratios('printed-bar'), { expected: printed, not: 1 })
    check(ratios('unbiased'), { expected: 1 })
  })

  it('are others where updates were looked for beyond the last one', () => {
    // Given n by T, ln(T / t_i) are n exponentials of mean 1 / beta; updates expected by T: 8.
    const end = truth.scale * 8 ** (1 / truth.shape)
    const seen = windows
      .map((times) => times.filter((t) => t < end))
      .filter((times) => times.length >= 4 && times.length < n)
    const factors = (form: WeibullForm) =>
      seen.map((times) => weibullTrend({ form }).fit(times, { until: end }).shape! / truth.shape)
    check(factors('unbiased'), { expected: 1 })
    const excess = factors('maximum-likelihood').map(
      (factor, i) => factor * (1 - 1 / seen[i]!.length),
    )
    check(excess, { expected: 1 })
  })
})
