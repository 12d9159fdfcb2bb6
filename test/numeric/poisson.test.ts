import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poissonProbability } from '../../src/numeric/index.js'

describe('poissonProbability', () => {
  // mpmath with 40 digits.
  it.each([
    [0, 2.5, 0.0820849986238988],
    [3, 2.5, 0.21376301724973645],
    [100, 100, 0.039860996809147134],
    [1000, 900, 5.9269532854189e-5],
    [1_000_000, 1_000_500, 0.0003520799616194828],
    [1_000_000_000, 1_000_000_000, 1.2615662609049494e-5],
    [200, 3, 1.676790706191923e-281],
  ])('of %d with mean %d keeps its digits', (count, mean, expected) => {
    expect(Math.abs(poissonProbability(count, { mean }) / expected - 1)).toBeLessThan(2e-13)
  })

  it('has a value at the edges', () => {
    expect(poissonProbability(0, { mean: 0 })).toBe(1)
    expect(poissonProbability(1, { mean: 0 })).toBe(0)
    expect(poissonProbability(-1, { mean: 2 })).toBe(0)
    expect(poissonProbability(1.5, { mean: 2 })).toBe(0)
    expect(poissonProbability(3, { mean: Infinity })).toBe(0)
    expect(poissonProbability(1e300, { mean: 1e300 })).toBeGreaterThanOrEqual(0)
  })

  it('adds up to 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (mean) => {
        let total = 0
        for (let k = 0; k <= mean + 20 * Math.sqrt(mean) + 40; k++)
          total += poissonProbability(k, { mean })
        expect(total).toBeCloseTo(1, 11)
      }),
      { seed: 41 },
    )
  })
})
