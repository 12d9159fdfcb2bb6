import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTrend, militaryHandbookTest } from '../../../src/estimators/trend/trend-test.js'
import { OptionError } from '../../../src/model/errors.js'
import { Random } from '../../../src/numeric/random.js'
import { powerLawTimes } from './series.js'

const t = [1, 3, 4, 8, 9]

describe('mil-hdbk-189', () => {
  const test = militaryHandbookTest

  it('sees a page speed up and slow down', () => {
    const random = new Random(61)
    const of = (shape: number) => test(powerLawTimes(random, { n: 60, shape })).direction
    expect(of(2.5)).toBe('rising')
    expect(of(0.4)).toBe('falling')
    expect(test(Array.from({ length: 40 }, (_, i) => i + 1)).direction).toBe('steady')
  })

  it('claims a trend on a steady page as often as it says it does', () => {
    // Binomial: 4,000 seeded pages at 5%, four standard errors are 1.4%.
    const random = new Random(62)
    let claimed = 0
    for (let i = 0; i < 4000; i++)
      if (test(powerLawTimes(random, { n: 12, shape: 1 })).direction !== 'steady') claimed++
    expect(Math.abs(claimed / 4000 - 0.05)).toBeLessThan(0.014)
  })

  it('has verdicts, not numbers, where it cannot tell', () => {
    const none = { test: 'mil-hdbk-189', statistic: null, pValue: null, direction: null }
    expect(test([])).toMatchObject({ ...none, verdict: 'no-update' })
    expect(test([1, 2])).toMatchObject({ ...none, verdict: 'too-few-points' })
    expect(test([1, 1, 2])).toMatchObject({ ...none, verdict: 'equal-times' })
    expect(test([0, 1, 2])).toMatchObject({ ...none, verdict: 'bad-times' })
    expect(test([1, 2, 3]).verdict).toBe('under-four-points')
  })

  it('refuses an end before the last update and a significance of 1', () => {
    expect(() => test(t, { until: 8 })).toThrow(OptionError)
    expect(() => test(t, { significance: 1 })).toThrow(OptionError)
  })

  it('does not depend on the unit of time and gives a chance', () => {
    const times = fc
      .uniqueArray(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { minLength: 3, maxLength: 20 })
      .map((values) => values.sort((a, b) => a - b))
    fc.assert(
      fc.property(times, fc.integer({ min: -30, max: 30 }), (some, power) => {
        const { pValue } = test(some)
        expect(pValue).toBeGreaterThanOrEqual(0)
        expect(pValue).toBeLessThanOrEqual(1)
        expect(test(some.map((x) => x * 2 ** power)).pValue).toBeCloseTo(pValue!, 9)
      }),
      { seed: 63 },
    )
  })
})

describe('the statistics', () => {
  it('agree with SciPy when the window ends at an update', () => {
    expect(militaryHandbookTest(t)).toMatchObject({ freedom: 8, direction: 'steady' })
    expect(militaryHandbookTest(t).statistic).toBeCloseTo(8.449100235754084, 12)
    expect(militaryHandbookTest(t).pValue).toBeCloseTo(0.7817470408128786, 12)
  })

  it('agree with SciPy when it was watched until 12', () => {
    expect(militaryHandbookTest(t, { until: 12 }).pValue).toBeCloseTo(0.6653917025848927, 12)
    expect(militaryHandbookTest(t, { until: 12 }).freedom).toBe(10)
  })
})

describe('countTrend', () => {
  const years = (counts: number[]) =>
    counts.map((count, i) => ({ at: 2001 + i, count, exposure: 30 }))

  it('agrees with SciPy on five years', () => {
    const trend = countTrend(years([3, 5, 4, 9, 12]))
    expect(trend.statistic).toBeCloseTo(2.70801280154532, 12)
    expect(trend.pValue).toBeCloseTo(0.006768741146915488, 12)
    expect(trend.direction).toBe('rising')
    expect(countTrend(years([12, 9, 4, 5, 3])).direction).toBe('falling')
  })

  it('does not take longer watching for more updates', () => {
    // By hand: counts in proportion to the exposure have a score of 0.
    const stretches = [10, 20, 30].map((exposure, i) => ({ at: i, count: exposure / 5, exposure }))
    expect(countTrend(stretches).statistic).toBeCloseTo(0, 12)
  })

  it('says nothing of one stretch or of no update', () => {
    const nothing = { statistic: null, pValue: null, direction: null }
    expect(countTrend([])).toEqual(nothing)
    expect(countTrend(years([5]))).toEqual(nothing)
    expect(countTrend(years([0, 0, 0]))).toEqual(nothing)
  })
})
