import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanUpdates, prUpdates, weibullTrend } from '../../../src/estimate/trend/index.js'

const shapes = fc.double({ min: 0.2, max: 4, noNaN: true })
const durations = fc.double({ min: 0.01, max: 20, noNaN: true })

describe('prUpdates', () => {
  it('gives the textbook values', () => {
    // By hand: mu = 2 in both, e^-2 2^3 / 6.
    const expected = (Math.exp(-2) * 8) / 6
    expect(prUpdates({ changeRate: 0.5 }, { count: 3, within: 4 })).toBeCloseTo(expected, 14)
    const weibull = { shape: 0.5, scale: 1 }
    expect(prUpdates(weibull, { count: 3, within: 4 })).toBeCloseTo(expected, 14)
  })

  it('gives the Poisson answer for shape 1', () => {
    fc.assert(
      fc.property(durations, durations, fc.nat(30), (scale, within, count) => {
        const weibull = prUpdates({ shape: 1, scale }, { count, within })
        expect(weibull).toBeCloseTo(prUpdates({ changeRate: 1 / scale }, { count, within }), 12)
      }),
      { seed: 51 },
    )
  })

  it('adds up to 1 over all counts', () => {
    fc.assert(
      fc.property(shapes, durations, (shape, within) => {
        const weibull = { shape, scale: 5 }
        const mean = meanUpdates(weibull, within)
        let total = 0
        for (let count = 0; count < mean + 20 * Math.sqrt(mean) + 40; count++)
          total += prUpdates(weibull, { count, within })
        expect(total).toBeCloseTo(1, 10)
      }),
      { seed: 52 },
    )
  })

  it('takes the law of a fitted curve, which expects its n updates by t_n', () => {
    const { law } = weibullTrend().fit([1, 3, 4, 8, 9])
    expect(meanUpdates(law!, 9)).toBe(5)
    expect(prUpdates(law!, { count: 5, within: 9 })).toBeCloseTo((5 ** 5 * Math.exp(-5)) / 120, 14)
  })

  it('is certain of none in no time, and stable for large counts', () => {
    expect(prUpdates({ changeRate: 3 }, { count: 0, within: 0 })).toBe(1)
    // mpmath: see test/numeric/poisson.test.ts.
    const many = prUpdates({ changeRate: 1e6 }, { count: 1e9, within: 1000 })
    expect(many / 1.2615662609049494e-5).toBeCloseTo(1, 12)
    expect(prUpdates({ shape: 9, scale: 1e-200 }, { count: 1, within: 1e200 })).toBe(0)
  })
})
