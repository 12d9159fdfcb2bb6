import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concaveLaw } from '../../../src/estimators/law/concave-law.js'
import { type DistributionCurve, stepCurve } from '../../../src/estimators/law/distribution.js'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import {
  chanceFresh,
  chanceFreshAtAge,
  staleness,
  updatesBehind,
  visitsForStaleness,
} from '../../../src/estimators/law/staleness.js'
import { Random } from '../../../src/numeric/random.js'
import { exponential, pareto, paretoG, renewalHistory } from './renewal.js'

/** The paper's age distribution as a fine line. */
const x = Float64Array.from({ length: 20_000 }, (_, i) => (i + 1) / 1000)
const fine: DistributionCurve = { shape: 'line', x, cdf: x.map(paretoG), weight: x.map(() => 1) }

describe('staleness', () => {
  it('is the mean of G since the visit: closed forms', () => {
    // By hand: the mean of 1 - (1+t)^-2 over 0..p is 1 - 1/(1+p); the line ends at 20.
    for (const revisitPeriod of [0.1, 1, 5])
      expect(staleness(fine, { revisitPeriod })).toBeCloseTo(1 - 1 / (1 + revisitPeriod), 6)
    // Shared oracles: random visits at lambda 1 give E[G(S)] = .596347.
    expect(
      Math.abs(staleness(fine, { revisitPeriod: 1, spacing: 'random' }) - 0.596347),
    ).toBeLessThan(1e-6)
    // By hand: one content age, 2: fresh for 2 of 8, then stale.
    expect(staleness(stepCurve([2]), { revisitPeriod: 8 })).toBe(0.75)
    expect(staleness(stepCurve([2]), { revisitPeriod: 2 })).toBe(0)
  })

  it('tells the visit rate that keeps it under a share', () => {
    // By hand: 1 - 1/(1+p) = .2 at p = 1/4.
    const need = visitsForStaleness(fine, { atMost: 0.2 })
    expect(need).toMatchObject({ kind: 'visits', finerThanData: false })
    expect(need.kind === 'visits' && need.visitRate).toBeCloseTo(4, 4)
    expect(visitsForStaleness(fine, { atMost: 0.0001 })).toMatchObject({ finerThanData: true })
    expect(visitsForStaleness(stepCurve([0, 0, 1]), { atMost: 0.5 }).kind).toBe('out-of-reach')
    expect(visitsForStaleness(stepCurve([0]), { atMost: 0.5 }).kind).toBe('out-of-reach')
    const half: DistributionCurve = {
      shape: 'line',
      x: x.slice(0, 1),
      cdf: x.slice(0, 1).fill(0.4),
      weight: x.slice(0, 1),
    }
    expect(visitsForStaleness(half, { atMost: 0.5 }).kind).toBe('never')
    expect(() => visitsForStaleness(fine, { atMost: 1 })).toThrow(/atMost/)
  })

  it('is held by the visits it asks for, at either spacing', () => {
    const ages = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(
        ages,
        fc.double({ min: 0.01, max: 0.99 }),
        fc.constantFrom('equal' as const, 'random' as const),
        (sample, atMost, spacing) => {
          const curve = stepCurve(sample)
          const need = visitsForStaleness(curve, { atMost, spacing })
          if (need.kind !== 'visits') return expect(need.kind).toBe('visits')
          const { revisitPeriod } = need
          expect(staleness(curve, { revisitPeriod, spacing })).toBeCloseTo(atMost, 6)
        },
      ),
      { seed: 8 },
    )
  })

  it('is what a copy that is visited really suffers', () => {
    // Exact integration over a simulated page: the share of time since the last visit after a change.
    const random = new Random(17)
    let [stale, at, next, total] = [0, 0, pareto(random), 0]
    for (let visit = 0; visit < 100_000; visit++) {
      const end = at + 0.25
      while (next <= at) next += pareto(random)
      stale += Math.max(0, end - next)
      total += 0.25
      at = end
    }
    expect(Math.abs(stale / total - 0.2)).toBeLessThan(0.005)
  })
})

describe('the copy', () => {
  it('is behind by half a gap of updates, more where gaps vary', () => {
    // By hand: 2 updates a second, gaps of 3: 3 updates; gaps 1 and 5: 26 / 12 * 2.
    expect(updatesBehind({ changePeriod: 0.5 }, { gaps: [3, 3] })).toBe(3)
    expect(updatesBehind({ changePeriod: 0.5 }, { gaps: [1, 5] })).toBeCloseTo(26 / 6, 12)
    expect(() => updatesBehind({ changePeriod: 1 }, { gaps: [] })).toThrow(/gap/)
  })

  it('is fresh with chance 1 - G, or by the gap law if its content age is known', () => {
    expect(chanceFresh(fine, { sinceVisit: 1 })).toBeCloseTo(0.25, 9)
    const random = new Random(2)
    const history = renewalHistory({ random, update: pareto, gap: exponential, visits: 50_000 })
    const law = concaveLaw(m2.estimate(history))
    if (law.kind === 'none') throw new Error(law.why)
    // Closed form: P(U > 2 | U > 1) = (2/3)^3 = .296, against P(U > 1) = .125 for new content.
    expect(
      Math.abs(chanceFreshAtAge(law, { contentAge: 1, sinceVisit: 1 })! - 8 / 27),
    ).toBeLessThan(0.05)
    expect(Math.abs(chanceFreshAtAge(law, { contentAge: 0, sinceVisit: 1 })! - 1 / 8)).toBeLessThan(
      0.05,
    )
    const ended = { ...law, cdf: law.cdf.map((value, i) => (i + 1 === law.cdf.length ? 1 : value)) }
    expect(chanceFreshAtAge(ended, { contentAge: 1e9, sinceVisit: 1 })).toBeNull()
  })
})
