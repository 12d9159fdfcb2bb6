import { describe, expect, it } from 'vitest'
import { empiricalPrior, periodHistogram } from '../../../src/estimators/prior/empirical-prior.js'
import { periodQuantile } from '../../../src/estimators/prior/grid-prior.js'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import { Random } from '../../../src/numeric/random.js'
import { historyFromGaps } from '../../contracts/estimator.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

describe('periodHistogram', () => {
  it('counts each period in its cell, and those outside at the ends', () => {
    // Cells of 1, 10, 100 meet at sqrt(10) and sqrt(1000), and end at 1/sqrt(10) and sqrt(100000).
    const { prior, outside } = periodHistogram([1, 3, 3.2, 31, 32, 316, 317, 0.3], {
      grid: Float64Array.of(1, 10, 100),
    })
    expect([...prior.masses]).toEqual([3 / 8, 2 / 8, 3 / 8])
    expect(outside).toBe(2)
  })

  it('refuses a period that is none', () => {
    for (const period of [0, -1, Number.NaN, Infinity])
      expect(() => periodHistogram([1, period], { grid: Float64Array.of(1) })).toThrow(
        expect.objectContaining({ code: 'bad-period' }),
      )
  })
})

describe('empiricalPrior', () => {
  const steady = (changes: number) =>
    historyFromGaps(Array.from({ length: changes }, () => [1, -1]).flat())

  it('estimates each page at its 25th change and looks no further', () => {
    const first = historyFromGaps([...Array(24).fill([2, -1]).flat(), 2])
    const longer = historyFromGaps([...Array(24).fill([2, -1]).flat(), 2, -500, 3])
    const expected = irregularMle.estimate(first).changePeriod!
    const { changePeriods } = empiricalPrior([first, longer])
    expect(changePeriods[0]).toBeCloseTo(expected, 12)
    expect(changePeriods[1]).toBe(changePeriods[0])
  })

  it('counts the pages that never got there, and says so', () => {
    const slow = [steady(24), historyFromGaps([]), historyFromGaps([-1, -1])]
    const result = empiricalPrior([steady(25), ...slow, steady(30)])
    expect(result).toMatchObject({ pages: 5, unfinished: 3, alwaysChanged: 0, outside: 0 })
    expect(result.changePeriods.length).toBe(2)
    expect(empiricalPrior(slow)).toMatchObject({ prior: null, pages: 3, unfinished: 3 })
    expect(empiricalPrior([])).toMatchObject({ prior: null, pages: 0, unfinished: 0 })
  })

  it('takes the shortest gap of a page that changed at every visit', () => {
    const always = historyFromGaps([...Array(24).fill(3), 2])
    const result = empiricalPrior([always])
    expect([...result.changePeriods]).toEqual([2])
    expect(result.alwaysChanged).toBe(1)
    expect(periodQuantile(result.prior!, 0.5)).toBeCloseTo(2, 1)
  })

  it('finds the law of a collection sampled long enough', () => {
    const random = new Random(31)
    const truth = Array.from({ length: 400 }, () => 240 * Math.exp(0.8 * random.normal()))
    const pages = truth.map((changePeriod) =>
      poissonPage({ changePeriod, gaps: Array(120).fill(changePeriod) }, random),
    )
    const { prior, unfinished } = empiricalPrior(pages)
    expect(unfinished).toBe(0)
    // Median 240; standard error 0.8 * 1.2533 / sqrt(400) = 5% and about 1.5% from the estimates.
    expect(Math.abs(Math.log(periodQuantile(prior!, 0.5) / 240))).toBeLessThan(0.16)
    // The law's quartiles lie 0.6745 x sqrt(0.8^2 + 0.2^2) = 0.556 from it: 25 changes tell a rate to about 20-25%.
    const spread = Math.log(periodQuantile(prior!, 0.75) / periodQuantile(prior!, 0.25)) / 2
    expect(spread).toBeGreaterThan(0.45)
    expect(spread).toBeLessThan(0.68)
  })

  it('refuses to wait for no change', () => {
    expect(() => empiricalPrior([], { changes: 0 })).toThrow(
      expect.objectContaining({ code: 'bad-count' }),
    )
  })
})
