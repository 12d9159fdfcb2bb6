import { describe, expect, it } from 'vitest'
import { gridPrior, logGrid } from '../../../src/estimators/prior/grid-prior.js'
import { fitPseudoGaps, pseudoGapPrior } from '../../../src/estimators/prior/pseudo-gaps.js'
import { Random } from '../../../src/numeric/random.js'

const grid = logGrid({ shortest: 1, longest: 1e5, nodes: 121 })
const lognormal = (sigma: number) =>
  gridPrior(
    grid,
    grid.map((period) => Math.exp(-((Math.log(period / 240) / sigma) ** 2) / 2)),
  )

describe('fitPseudoGaps', () => {
  it.each([
    { reading: 'rate', changed: 300, unchanged: 100 },
    { reading: 'rate', changed: 900, unchanged: 100 },
    { reading: 'rate', changed: 120, unchanged: 200 },
    { reading: 'period', changed: 60, unchanged: 20 },
    { reading: 'log-period', changed: 500, unchanged: 50 },
  ] as const)('finds the pseudo-gaps that made a law: $reading $changed $unchanged', (made) => {
    const prior = pseudoGapPrior(made, { grid, reading: made.reading })
    const fit = fitPseudoGaps(prior, { reading: made.reading, random: new Random(81) })
    expect(fit.distance).toBeLessThan(1e-4)
    expect(fit.pseudoGaps.changed / made.changed).toBeCloseTo(1, 2)
    expect(fit.pseudoGaps.unchanged / made.unchanged).toBeCloseTo(1, 2)
    expect(fit.agreeing).toBeGreaterThanOrEqual(4)
    expect(fit.spread.distance).toBeLessThan(1e-3)
    expect(fit.spread.unchanged).toBeLessThan(1.05)
  })

  // Gamma(2) with mean 2 / 200 is the limit of a short changed gap, the
  // exponential with mean 1 / 200 of a long one.
  it.each([
    { name: 'Gamma(2)', weight: (x: number) => x * x * Math.exp(-200 * x), side: 'short' },
    { name: 'Exp', weight: (x: number) => x * Math.exp(-200 * x), side: 'long' },
  ])('comes to $name by a $side changed gap', ({ weight, side }) => {
    // Per log period, so one factor of the rate more than its density.
    const prior = gridPrior(
      grid,
      grid.map((period) => weight(1 / period)),
    )
    const fit = fitPseudoGaps(prior, { reading: 'rate', random: new Random(82) })
    expect(fit.distance).toBeLessThan(0.02)
    expect(fit.pseudoGaps.unchanged).toBeGreaterThan(170)
    expect(fit.pseudoGaps.unchanged).toBeLessThan(220)
    if (side === 'short') expect(fit.pseudoGaps.changed).toBeLessThan(40)
    else expect(fit.pseudoGaps.changed).toBeGreaterThan(4000)
  })

  it('says when a law is beyond reach', () => {
    const reach = (sigma: number, reading: 'rate' | 'log-period') =>
      fitPseudoGaps(lognormal(sigma), { reading, restarts: 1, steps: 50, random: new Random(83) })
    // Lognormal rates vary by sqrt(e^(sigma^2) - 1): 0.53, 0.88 and 2.1.
    expect(reach(0.5, 'rate')).toMatchObject({ reach: 'too-narrow' })
    expect(reach(0.76, 'rate')).toMatchObject({ reach: 'within' })
    expect(reach(1.3, 'rate')).toMatchObject({ reach: 'too-wide' })
    expect(reach(0.76, 'log-period')).toMatchObject({ reach: 'too-narrow' })
    expect(reach(1.3, 'log-period')).toMatchObject({ reach: 'within' })
  })

  // SciPy's Nelder-Mead on 20,001 nodes, densities of the period: unchanged
  // 149.0 h and a changed gap without end, relative distance 0.361.
  it('runs to the end of its search where rates are too wide, and says how far off it is', () => {
    const fit = fitPseudoGaps(lognormal(1.3), { reading: 'rate', random: new Random(84) })
    expect(fit.pseudoGaps.unchanged).toBeCloseTo(149, 0)
    expect(fit.pseudoGaps.changed).toBeGreaterThan(1e5)
    expect(fit.distance).toBeCloseTo(0.361, 3)
  })

  it('gives the same for the same seed, and scales with the unit of time', () => {
    const prior = lognormal(1.3)
    const here = fitPseudoGaps(prior, { random: new Random(85), restarts: 4 })
    expect(fitPseudoGaps(prior, { random: new Random(85), restarts: 4 })).toEqual(here)
    const slower = { periods: prior.periods.map((each) => each * 3600), masses: prior.masses }
    const there = fitPseudoGaps(slower, { random: new Random(86), restarts: 4 })
    expect(there.distance).toBeCloseTo(here.distance, 5)
    expect(there.pseudoGaps.changed / here.pseudoGaps.changed / 3600).toBeCloseTo(1, 2)
    expect(there.pseudoGaps.unchanged / here.pseudoGaps.unchanged / 3600).toBeCloseTo(1, 2)
  })

  it('refuses a law of a single node', () => {
    expect(() => fitPseudoGaps(gridPrior([1], [1]), { random: new Random(1) })).toThrow(
      expect.objectContaining({ code: 'bad-fit' }),
    )
  })
})
