import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gridPrior, logGrid } from '../../../src/estimators/prior/grid-prior.js'
import {
  changeRateVariation,
  pseudoGapPrior,
  pseudoGapReach,
} from '../../../src/estimators/prior/pseudo-gaps.js'

const grid = logGrid({ shortest: 1e-5, longest: 1e7, nodes: 2001 })
const gaps = fc.record({
  changed: fc.double({ min: -3, max: 3, noNaN: true }).map((power) => 10 ** power),
  unchanged: fc.double({ min: -1, max: 1, noNaN: true }).map((power) => 10 ** power),
})

/** The coefficient of variation of the change rate that two pseudo-gaps make under a proper reading, in closed form. */
function pseudoGapVariation(
  { changed, unchanged }: { readonly changed: number; readonly unchanged: number },
  { reading }: { readonly reading: 'rate' | 'log-period' },
): number {
  const excess = changed / unchanged
  const share = 1 / (1 + excess)
  if (reading === 'rate') return Math.hypot(1, share) / (1 + share)
  const square = (1 + 2 / excess) * Math.log1p(excess) - 1
  return excess < 1e-5 ? 1 : Math.sqrt(square)
}

describe('the law that two pseudo-gaps stand for', () => {
  // The rate's survival is [e^(-x u) / u - e^(-x (u + c)) / (u + c)] over the same at 0;
  // a period below p is a rate above 1 / p. By hand, with the Jacobian's change of variable.
  it('read over rates, has the chance of short periods that integration gives', () => {
    const [c, u] = [3, 2]
    const above = (x: number) => Math.exp(-x * u) / u - Math.exp(-x * (u + c)) / (u + c)
    const { periods, masses } = pseudoGapPrior(
      { changed: c, unchanged: u },
      { grid, reading: 'rate' },
    )
    let below = 0
    for (let i = 0; i + 1 < periods.length; i++) {
      below += masses[i]!
      const edge = Math.sqrt(periods[i]! * periods[i + 1]!)
      expect(Math.abs(below - above(1 / edge) / above(0))).toBeLessThan(1e-4)
    }
  })

  it('has the variation of its closed form, on the grid too', () => {
    fc.assert(
      fc.property(gaps, fc.constantFrom('rate', 'log-period'), (each, reading) => {
        const seen = changeRateVariation(pseudoGapPrior(each, { grid, reading }))
        expect(seen).toBeCloseTo(pseudoGapVariation(each, { reading }), 2)
      }),
      { seed: 71, numRuns: 60 },
    )
  })

  // Shared oracles: only priors between Exp and Gamma(2), coefficient of variation .707 to 1.
  it('read over rates, is never narrower than Gamma(2) nor wider than Exp', () => {
    expect(pseudoGapReach.rate.least.toFixed(3)).toBe('0.707')
    expect(pseudoGapReach.rate.most).toBe(1)
    fc.assert(
      fc.property(gaps, (each) => {
        const variation = pseudoGapVariation(each, { reading: 'rate' })
        expect(variation).toBeGreaterThanOrEqual(Math.SQRT1_2)
        expect(variation).toBeLessThanOrEqual(1)
        expect(pseudoGapVariation(each, { reading: 'log-period' })).toBeGreaterThanOrEqual(1)
      }),
      { seed: 72 },
    )
    const variation = (changed: number) =>
      pseudoGapVariation({ changed, unchanged: 1 }, { reading: 'rate' })
    expect(variation(1e-9)).toBeCloseTo(Math.SQRT1_2, 9)
    expect(variation(1e9)).toBeCloseTo(1, 8)
  })

  it('read over log periods, peaks where the MLE starts', () => {
    fc.assert(
      fc.property(gaps, (each) => {
        const { periods, masses } = pseudoGapPrior(each, { grid })
        const peak = periods[masses.indexOf(Math.max(...masses))]!
        const start = each.changed / Math.log1p(each.changed / each.unchanged)
        expect(Math.abs(Math.log(peak / start))).toBeLessThan(0.02)
      }),
      { seed: 73, numRuns: 60 },
    )
  })

  it('is a law, or refuses, for any gaps', () => {
    const anyGap = fc.double({ min: 1e-300, max: 1e300, noNaN: true })
    fc.assert(
      fc.property(anyGap, anyGap, (changed, unchanged) => {
        const { masses } = pseudoGapPrior({ changed, unchanged }, { grid, reading: 'rate' })
        expect(masses.reduce((total, each) => total + each, 0)).toBeCloseTo(1, 9)
      }),
      { seed: 74, numRuns: 100 },
    )
    expect(() => pseudoGapPrior({ changed: 0, unchanged: 1 }, { grid })).toThrow(
      expect.objectContaining({ code: 'bad-prior' }),
    )
  })

  it('counts a single period as not varying', () => {
    expect(changeRateVariation(gridPrior([7], [1]))).toBe(0)
    // By hand: rates 1 and 1/3 equally likely, mean 2/3, standard deviation 1/3.
    expect(changeRateVariation(gridPrior([1, 3], [1, 1]))).toBeCloseTo(0.5, 12)
  })
})
