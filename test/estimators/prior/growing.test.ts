import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logUniformPrior } from '../../../src/estimators/prior/grid-prior.js'
import { GrowingMle, GrowingPosterior } from '../../../src/estimators/prior/new-pages.js'
import { irregularMle, irregularMleWith } from '../../../src/estimators/rate/irregular-mle.js'
import { posteriorWith } from '../../../src/estimators/rate/posterior.js'
import { historyFromGaps } from '../../contracts/estimator.js'

/** Signed gaps: positive with a change, negative without. */
const gaps = fc.array(
  fc
    .tuple(fc.double({ min: -3, max: 5, noNaN: true }), fc.boolean())
    .map(([power, changed]) => (changed ? 1 : -1) * 10 ** power),
  { minLength: 1, maxLength: 25 },
)
const see = (page: { see(seen: { gap: number; changed: boolean }): void }, signed: number[]) => {
  for (const each of signed) page.see({ gap: Math.abs(each), changed: each > 0 })
}

describe('GrowingMle', () => {
  it('gives what irregularMle gives for the same visits, edges and all', () => {
    fc.assert(
      fc.property(gaps, (signed) => {
        const page = new GrowingMle({ firstPeriod: 5 })
        see(page, signed)
        const expected = irregularMle.estimate(historyFromGaps(signed)).changePeriod!
        expect(Math.abs(page.changePeriod() / expected - 1)).toBeLessThan(1e-9)
      }),
      { seed: 41, numRuns: 200 },
    )
  })

  it('gives what irregularMleWith gives with pseudo-gaps', () => {
    const pseudoGaps = { changed: 70, unchanged: 13 }
    fc.assert(
      fc.property(gaps, (signed) => {
        const page = new GrowingMle({ pseudoGaps })
        see(page, signed)
        const estimator = irregularMleWith({ pseudoGaps })
        const expected = estimator.estimate(historyFromGaps(signed)).changePeriod!
        expect(Math.abs(page.changePeriod() / expected - 1)).toBeLessThan(1e-9)
      }),
      { seed: 42, numRuns: 100 },
    )
  })

  it('starts from what it is given', () => {
    expect(new GrowingMle({ firstPeriod: 11 }).changePeriod()).toBe(11)
    // One changed and one unchanged gap: rate ln(1 + c / u) / c.
    const pseudoGaps = { changed: 3, unchanged: 2 }
    expect(new GrowingMle({ pseudoGaps }).changePeriod()).toBeCloseTo(3 / Math.log(2.5), 12)
    expect(() => new GrowingMle({ firstPeriod: 0 })).toThrow(
      expect.objectContaining({ code: 'bad-start' }),
    )
  })
})

describe('GrowingPosterior', () => {
  const prior = logUniformPrior({ shortest: 1e-3, longest: 1e6, nodes: 61 })

  it('gives what posteriorWith gives for the same visits', () => {
    fc.assert(
      fc.property(gaps, (signed) => {
        const page = new GrowingPosterior(prior)
        see(page, signed)
        const expected = posteriorWith({ prior }).estimate(historyFromGaps(signed)).changePeriod!
        expect(Math.abs(page.changePeriod() / expected - 1)).toBeLessThan(1e-9)
      }),
      { seed: 43, numRuns: 100 },
    )
  })

  it('is the prior before any visit', () => {
    const law = new GrowingPosterior(prior).law()
    law.masses.forEach((mass, i) => {
      expect(mass).toBeCloseTo(prior.masses[i]!, 15)
    })
  })
})
