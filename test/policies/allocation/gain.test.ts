import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  evenFreshness,
  gainInverse,
  marginalGain,
  poissonFreshness,
  predictedFreshness,
  visitsPerChange,
} from '../../../src/policies/allocation/freshness.js'
import { lambertW } from '../../fixtures/lambert-w.js'

// SciPy 1.17: gammainc(2, x), the same function; the first by hand, x^2/2 - x^3/3 + x^4/8.
const gains: [number, number][] = [
  [1e-8, 4.999999966666667e-17],
  [1e-3, 4.996667916333409e-7],
  [0.1, 0.004678840160444474],
  [0.5, 0.09020401043104986],
  [1, 0.2642411176571153],
  [1.5, 0.4421745996289252],
  [2, 0.5939941502901616],
  [5, 0.9595723180054873],
  [10, 0.9995006007726127],
  [30, 0.9999999999970991],
]

describe('marginalGain', () => {
  it.each(gains)('at %d', (x, gain) => {
    expect(Math.abs(marginalGain(x) / gain - 1)).toBeLessThan(2e-15)
  })

  it('has its ends', () => {
    expect(marginalGain(0)).toBe(0)
    expect(marginalGain(Infinity)).toBe(1)
  })
})

describe('visitsPerChange', () => {
  const rows = gainInverse()

  it('undoes marginalGain from 1e-100 to 5 changes a visit', () => {
    const power = fc.double({ min: -100, max: Math.log10(5), noNaN: true })
    fc.assert(
      fc.property(power, (log) => {
        const x = 10 ** log
        // Near gain 1 a double of the gain has lost digits of x; at 5 it has lost two.
        expect(Math.abs(visitsPerChange(rows, marginalGain(x)) * x - 1)).toBeLessThan(1e-14)
      }),
      { seed: 421, numRuns: 2000 },
    )
  })

  // x = -1 - W((gain - 1)/e) on the lower branch of Lambert's W.
  it("agrees with Lambert's W across every seam, up to the last double below 1", () => {
    const seams = [0.9, 1 - 2 ** -16, 1].flatMap((seam) => [
      seam * (1 - 1e-15),
      seam * (1 - 1e-9),
      Math.min(seam, 1 - 2 ** -53),
    ])
    for (let i = 1; i < 4000; i++) seams.push(0.2 + (0.8 * i) / 4000, 1 - 2 ** (-i / 77))
    for (const gain of seams.filter((each) => each > 0.2 && each < 1)) {
      const x = -1 - lambertW((gain - 1) / Math.E, { branch: 'lower' })
      expect(Math.abs(visitsPerChange(rows, gain) * x - 1)).toBeLessThan(4e-15)
    }
  })
})

describe('predicted freshness', () => {
  // By hand: one change a visit: 1 - 1/e, and 1/2.
  it('of one page', () => {
    expect(evenFreshness({ changeRate: 3, visitRate: 3 })).toBeCloseTo(1 - 1 / Math.E, 15)
    expect(poissonFreshness({ changeRate: 3, visitRate: 3 })).toBe(0.5)
  })

  it('has values at the ends', () => {
    for (const law of [evenFreshness, poissonFreshness]) {
      expect(law({ changeRate: 0, visitRate: 0 })).toBe(1)
      expect(law({ changeRate: 0, visitRate: 2 })).toBe(1)
      expect(law({ changeRate: 2, visitRate: 0 })).toBe(0)
      expect(law({ changeRate: 1e-50, visitRate: 1e50 })).toBe(1)
    }
    // 1 - x/2 by its series, where 1 - e^-x would have lost every digit.
    expect(evenFreshness({ changeRate: 1e-10, visitRate: 1 })).toBe(1 - 5e-11)
  })

  // By hand: (3 * 0.5 + 1 * 1) / 4.
  it('of a collection is the weighted mean', () => {
    const pages = { changeRates: Float64Array.of(2, 0), weights: Float64Array.of(3, 1) }
    const visitRates = Float64Array.of(2, 0)
    expect(predictedFreshness(pages, { visitRates, visits: 'poisson' })).toBe(0.625)
    const weightless = { ...pages, weights: new Float64Array(2) }
    expect(predictedFreshness(weightless, { visitRates, visits: 'even' })).toBe(1)
  })
})
