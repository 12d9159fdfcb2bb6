import { describe, expect, it } from 'vitest'
import {
  gridPrior,
  logGrid,
  logUniformPrior,
  periodQuantile,
  typicalPeriod,
} from '../../../src/estimators/prior/grid-prior.js'
import { posterior, posteriorOf, posteriorWith } from '../../../src/estimators/rate/posterior.js'
import { Random } from '../../../src/numeric/random.js'
import { gammaQuantile } from '../../../src/numeric/special-functions.js'
import { historyFromGaps } from '../../contracts/estimator.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

/** A Gamma law of change rates as a fine grid over periods. */
function gammaPrior(shape: number): ReturnType<typeof gridPrior> {
  const periods = logGrid({ shortest: 1e-3, longest: 1e4, nodes: 4000 })
  // Density of ln(period) for a Gamma(shape, 1) rate: rate^shape e^-rate.
  return gridPrior(
    periods,
    periods.map((period) => period ** -shape * Math.exp(-1 / period)),
  )
}

describe('posterior', () => {
  // Conjugate: a Gamma(2, 1) prior and 6 time units without change make Gamma(2, 7).
  it('is the conjugate answer where there is one', () => {
    const law = posteriorOf(historyFromGaps([-2, -4]), gammaPrior(2))
    expect(1 / typicalPeriod(law, { summary: 'mean', of: 'rate' })).toBeCloseTo(2 / 7, 4)
    expect(1 / typicalPeriod(law, { summary: 'mode', of: 'rate' })).toBeCloseTo(1 / 7, 2)
    expect(1 / typicalPeriod(law, { summary: 'median', of: 'rate' })).toBeCloseTo(
      gammaQuantile(2, 0.5) / 7,
      4,
    )
    // The inverse of a Gamma(2, 7) rate has mean 7 and mode 7/3.
    expect(typicalPeriod(law, { summary: 'mean', of: 'period' })).toBeCloseTo(7, 1)
    expect(typicalPeriod(law, { summary: 'mode', of: 'period' })).toBeCloseTo(7 / 3, 1)
  })

  it('has equal-tailed bounds', () => {
    const { bounds } = posteriorWith({ prior: gammaPrior(2) }).estimate(historyFromGaps([-2, -4]), {
      level: 0.9,
    })
    expect(bounds!.low).toBeCloseTo(gammaQuantile(2, 0.05) / 7, 4)
    expect(bounds!.high).toBeCloseTo(gammaQuantile(2, 0.95) / 7, 4)
  })

  it('takes content ages exactly: each is an event at the end of its unchanged time', () => {
    const history = {
      start: { at: 0, contentAge: 3 },
      observations: [{ at: 5, gap: 5, changed: true, contentAge: 1 }],
    }
    // Gamma(2 + 2 events, 1 + 3 + 1 exposure): mean rate 4 / 5.
    expect(
      1 / typicalPeriod(posteriorOf(history, gammaPrior(2)), { summary: 'mean', of: 'rate' }),
    ).toBeCloseTo(0.8, 4)
  })

  it('survives a history that no node can explain, and a very long one', () => {
    const prior = logUniformPrior({ shortest: 1, longest: 2, nodes: 3 })
    const unchanged = posteriorOf(historyFromGaps([-1e9]), prior)
    expect([...unchanged.masses].every(Number.isFinite)).toBe(true)
    expect(periodQuantile(unchanged, 0.5)).toBeGreaterThan(1.4)
    const random = new Random(51)
    const long = poissonPage({ changePeriod: 1, gaps: new Float64Array(20_000).fill(1) }, random)
    expect(posterior.estimate(long).changePeriod).toBeCloseTo(1, 1)
  })

  it.each([
    [[], []],
    [
      [1, 1],
      [1, 1],
    ],
    [
      [2, 1],
      [1, 1],
    ],
    [[1, 2], [1]],
    [
      [1, 2],
      [0, 0],
    ],
    [
      [0, 2],
      [1, 1],
    ],
    [
      [1, 2],
      [1, Number.NaN],
    ],
    [
      [1, Infinity],
      [1, 1],
    ],
  ])('refuses the prior %j with weights %j', (periods, weights) => {
    expect(() => gridPrior(periods, weights)).toThrow(
      expect.objectContaining({ code: 'bad-prior' }),
    )
  })
})
