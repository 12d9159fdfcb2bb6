import { describe, expect, inject, it } from 'vitest'
import { biasReduced } from '../../../src/estimators/rate/bias-reduced.js'
import { detectionGap } from '../../../src/estimators/rate/detection-gap.js'
import { lastModified } from '../../../src/estimators/rate/last-modified.js'
import { meanContentAge } from '../../../src/estimators/rate/mean-content-age.js'
import type { Estimator } from '../../../src/model/estimate.js'
import { DAY, HOUR, MINUTE } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { logGamma } from '../../../src/numeric/special-functions.js'
import { mean, variance } from '../../../src/numeric/summary.js'
import { historyFromGaps } from '../../contracts/estimator.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

/** Visits every 24 hours over 120 days: 121 visits, 120 gaps. */
const count = 120
const samplingPeriod = count * DAY
const oracles = inject('oracles')
const exact =
  oracles?.['malcolm_armitage_exact(24h,120d,stationary,natural log,zero->samplingPeriod)']
const periods = { m5: 5 * MINUTE, h1: HOUR, d1: DAY, d3: 3 * DAY, d10: 10 * DAY, d62: 62 * DAY }

/** Mean and standard deviation of an estimator over the binomial number of changes seen. */
function overAllCounts(estimator: Estimator, changePeriod: number): [number, number] {
  const chance = -Math.expm1(-DAY / changePeriod)
  let first = 0
  let second = 0
  for (let changes = 0; changes <= count; changes++) {
    const gaps = Array.from({ length: count }, (_, i) => (i < changes ? DAY : -DAY))
    const ratio =
      (estimator.estimate(historyFromGaps(gaps)).changePeriod ?? samplingPeriod) / changePeriod
    const weight = binomial(changes, chance)
    first += weight * ratio
    second += weight * ratio * ratio
  }
  return [first, Math.sqrt(Math.max(0, second - first * first))]
}

function binomial(k: number, chance: number): number {
  const ways = logGamma(count + 1) - logGamma(k + 1) - logGamma(count - k + 1)
  const unchanged = k === count ? 0 : (count - k) * Math.log1p(-chance)
  const unchangedLog = chance === 1 && k < count ? -Infinity : unchanged
  return Math.exp(ways + (k === 0 ? 0 : k * Math.log(chance)) + unchangedLog)
}

describe.skipIf(oracles === null)(
  'Malcolm & Armitage, exact sums (shared oracles; skipped where they are absent)',
  () => {
    it.each(Object.entries(periods))('scenario 4, bias-reduced, at %s', (key, changePeriod) => {
      const [bias, spread] = overAllCounts(biasReduced, changePeriod)
      expect(bias).toBeCloseTo(exact[key].S4[0], 6)
      expect(spread).toBeCloseTo(exact[key].S4[1], 6)
    })

    it.each(Object.entries(periods))('scenario 5, detection-gap, at %s', (key, changePeriod) => {
      const [bias, spread] = overAllCounts(detectionGap, changePeriod)
      expect(bias).toBeCloseTo(exact[key].S5[0], 6)
      expect(spread).toBeCloseTo(exact[key].S5[1], 6)
    })

    it('eq. 3 by its vector', () => {
      const { expected, changes, totalUnchangedTime } = oracles.ma_eq3_vector
      const changedTime = oracles.ma_eq3_vector.samplingPeriod - totalUnchangedTime
      const gaps = [
        ...Array.from({ length: changes }, () => changedTime / changes),
        -totalUnchangedTime,
      ]
      expect(detectionGap.estimate(historyFromGaps(gaps)).changePeriod).toBeCloseTo(expected, 12)
    })
  },
)

describe('Malcolm & Armitage, seeded simulation', () => {
  const pages = 3000
  const gaps = new Float64Array(count).fill(DAY)

  function simulate(estimator: Estimator, changePeriod: number): { bias: number; spread: number } {
    const random = new Random(1)
    const ratios = Float64Array.from({ length: pages }, () => {
      const history = poissonPage({ changePeriod, gaps, tellsAge: true }, random)
      return (estimator.estimate(history).changePeriod ?? samplingPeriod) / changePeriod
    })
    return { bias: mean(ratios), spread: Math.sqrt(variance(ratios)) }
  }

  // Shared oracles, README table: bias ratio and standard deviation of 40,000 pages.
  // Tolerances as stated there: 4 sd sqrt(1/n + 1/40000) for the bias, 8% for the sd.
  it.each([
    ['5 min', 5 * MINUTE, 1.008, 0.092],
    ['1 h', HOUR, 1.009, 0.093],
    ['1 d', DAY, 1.013, 0.119],
    ['3 d', 3 * DAY, 1.031, 0.186],
    ['10 d', 10 * DAY, 1.107, 0.422],
    ['62 d', 62 * DAY, 1.26, 0.61],
  ])('scenario 1, last-modified, at %s', (_, changePeriod, bias, spread) => {
    const ours = simulate(lastModified, changePeriod)
    expect(Math.abs(ours.bias - bias)).toBeLessThan(
      4 * spread * Math.sqrt(1 / pages + 1 / 40_000) + 0.0005,
    )
    expect(Math.abs(ours.spread / spread - 1)).toBeLessThan(0.08)
  })

  it.each([
    ['5 min', 5 * MINUTE, 0.0909],
    ['1 d', DAY, 0.1333],
    ['10 d', 10 * DAY, 0.3896],
    ['62 d', 62 * DAY, 0.7578],
  ])('scenario 2, mean-content-age, unbiased at %s', (_, changePeriod, spread) => {
    const ours = simulate(meanContentAge, changePeriod)
    expect(Math.abs(ours.bias - 1)).toBeLessThan((4 * spread) / Math.sqrt(pages))
    expect(Math.abs(ours.spread / spread - 1)).toBeLessThan(0.08)
  })

  it('the uncorrected detection gap is unbiased for the rate where the period is not (section VI)', async () => {
    const { detectionGapUncorrected } = await import(
      '../../../src/estimators/rate/detection-gap.js'
    )
    const random = new Random(2)
    const changePeriod = 10 * DAY
    const estimates = Array.from({ length: pages }, () =>
      detectionGapUncorrected.estimate(poissonPage({ changePeriod, gaps }, random)),
    )
    const rates = estimates.map((each) => each.changeRate! * changePeriod)
    const periodsSeen = estimates.map(
      (each) => (each.changePeriod ?? samplingPeriod) / changePeriod,
    )
    expect(Math.abs(mean(rates) - 1)).toBeLessThan(0.02)
    expect(mean(periodsSeen)).toBeGreaterThan(1.05)
  })
})

describe('verdicts', () => {
  it('both methods say when sampling was shorter than three change periods', () => {
    const slow = historyFromGaps([-DAY, -DAY, -DAY, DAY, -DAY])
    expect(detectionGap.estimate(slow).verdict).toBe('short-sampling')
    const reported = {
      start: { at: 0, contentAge: 9 * DAY },
      observations: slow.observations.map((each) => ({
        ...each,
        contentAge: each.changed ? 0.5 * DAY : 9 * DAY + each.at,
      })),
    }
    expect(meanContentAge.estimate(reported).verdict).toBe('short-sampling')
    expect(
      detectionGap.estimate(
        historyFromGaps(Array.from({ length: 30 }, (_, i) => (i % 3 ? -DAY : DAY))),
      ).verdict,
    ).toBe('ok')
  })

  it('the edges are as the shared oracles read them', () => {
    expect(detectionGap.estimate(historyFromGaps([-DAY, -DAY]))).toMatchObject({
      changePeriod: 2 * DAY,
      verdict: 'no-change-seen',
    })
    expect(detectionGap.estimate(historyFromGaps([DAY, DAY]))).toMatchObject({
      changePeriod: 0,
      changeRate: null,
      verdict: 'always-changed',
    })
  })
})
