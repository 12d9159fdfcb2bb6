import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import {
  cheapestGap,
  samplingError,
  visitsNeeded,
} from '../../../src/estimators/rate/sampling-plan.js'
import { historyOf, type Visit } from '../../../src/model/history.js'
import { DAY, MINUTE } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { mean, variance } from '../../../src/numeric/summary.js'

describe('samplingError from content ages', () => {
  // Shared oracles, Malcolm & Armitage scenario 2: 121 visits every 24 h.
  it.each([
    [5 * MINUTE, 0.0909],
    [DAY, 0.1333],
    [3 * DAY, 0.221],
    [10 * DAY, 0.3896],
    [62 * DAY, 0.7578],
  ])('is the standard deviation of scenario 2 at a period of %s s', (changePeriod, sd) => {
    const found = samplingError({ changePeriod, gap: DAY, visits: 121 }, 'content-ages')
    expect(found).toBeCloseTo(sd, 4)
  })

  it('agrees with the plain sum over all pairs of visits', () => {
    const cases = fc.record({
      x: fc.double({ min: 1e-12, max: 20, noNaN: true }),
      visits: fc.integer({ min: 1, max: 200 }),
    })
    fc.assert(
      fc.property(cases, ({ x, visits }) => {
        let sum = 1
        for (let k = 1; k < visits; k++) sum += 2 * (1 - k / visits) * Math.exp(-k * x)
        const found = samplingError({ changePeriod: 1, gap: x, visits }, 'content-ages')
        expect(found! / Math.sqrt(sum / visits)).toBeCloseTo(1, 8)
      }),
      { seed: 21 },
    )
  })

  it('takes visits at one moment for a single visit', () => {
    const sampling = { changePeriod: 1e9, gap: 1e-9, visits: 1000 }
    expect(samplingError(sampling, 'content-ages')).toBeCloseTo(1, 14)
  })
})

describe('samplingError from changes', () => {
  it('is the bound of the Fisher information', () => {
    // By hand: (e - 1) / 100 = .0171828, its root .131083.
    const sampling = { changePeriod: DAY, gap: DAY, visits: 101 }
    expect(samplingError(sampling, 'changes')).toBeCloseTo(0.131083, 6)
  })

  it('is what the irregular MLE reaches', () => {
    const random = new Random(5)
    const estimates = Array.from({ length: 1000 }, () => {
      const visits: Visit[] = [{ at: 0, outcome: 'first' }]
      for (let i = 1; i <= 150; i++)
        visits.push({ at: i, outcome: random.exponential() < 1 ? 'changed' : 'unchanged' })
      return irregularMle.estimate(historyOf(visits)!).changePeriod!
    })
    const found = Math.sqrt(variance(estimates)) / mean(estimates)
    const expected = samplingError({ changePeriod: 1, gap: 1, visits: 151 }, 'changes')!
    // A standard deviation from 1,000 estimates is off by 2.2%; three of these.
    expect(Math.abs(found / expected - 1)).toBeLessThan(0.07)
  })

  it('tells nothing before the second visit, or where every gap holds many changes', () => {
    expect(samplingError({ changePeriod: 1, gap: 1, visits: 1 }, 'changes')).toBeNull()
    expect(samplingError({ changePeriod: 1, gap: 1e4, visits: 100 }, 'changes')).toBeNull()
  })

  it('is least for a given number of visits at the cheapest gap', () => {
    // SciPy: 2 + lambertw(-2 exp(-2)) = 1.59362426004004.
    const at = (gap: number) => samplingError({ changePeriod: 1, gap, visits: 100 }, 'changes')!
    expect(at(cheapestGap)).toBeLessThan(at(cheapestGap * 1.001))
    expect(at(cheapestGap)).toBeLessThan(at(cheapestGap * 0.999))
  })
})

describe('visitsNeeded', () => {
  it('needs 40 visits at best for 20%', () => {
    // By hand: (e^1.5936 - 1) / 1.5936^2 = 1.54414; over .04 = 38.6 gaps, so 39 gaps, 40 visits.
    expect(visitsNeeded({ changePeriod: 1, gap: cheapestGap, error: 0.2 }, 'changes')).toBe(40)
  })

  it('is the fewest that do', () => {
    const cases = fc.record({
      gap: fc.double({ min: 0.01, max: 20, noNaN: true }),
      error: fc.double({ min: 0.01, max: 2, noNaN: true }),
    })
    const observed = fc.constantFrom('changes' as const, 'content-ages' as const)
    fc.assert(
      fc.property(cases, observed, ({ gap, error }, kind) => {
        const visits = visitsNeeded({ changePeriod: 1, gap, error }, kind)!
        const at = (count: number) => samplingError({ changePeriod: 1, gap, visits: count }, kind)
        expect(at(visits)).toBeLessThanOrEqual(error)
        if (visits > 1) expect(at(visits - 1) ?? Infinity).toBeGreaterThan(error)
      }),
      { seed: 22 },
    )
  })

  it('is null where no number of visits does, and ends for any finite input', () => {
    expect(visitsNeeded({ changePeriod: 1, gap: 1e4, error: 0.1 }, 'changes')).toBeNull()
    const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true })
    const observed = fc.constantFrom('changes' as const, 'content-ages' as const)
    fc.assert(
      fc.property(positive, positive, positive, observed, (changePeriod, gap, error, kind) => {
        const visits = visitsNeeded({ changePeriod, gap, error }, kind)
        expect(visits === null || (Number.isInteger(visits) && visits > 0)).toBe(true)
      }),
      { seed: 23 },
    )
  })
})
