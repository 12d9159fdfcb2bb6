import { describe, expect, it } from 'vitest'
import { concaveLaw } from '../../../src/estimators/law/concave-law.js'
import { type DistributionEstimate, stepCurve } from '../../../src/estimators/law/distribution.js'
import {
  fivePointLaw,
  flatRegion,
  forwardSlope,
} from '../../../src/estimators/law/five-point-law.js'
import { m1, m2 } from '../../../src/estimators/law/m1-m2.js'
import { m4 } from '../../../src/estimators/law/m3-m5.js'
import { m6 } from '../../../src/estimators/law/m6.js'
import { type UpdateLaw, updateGapCdf } from '../../../src/estimators/law/update-law.js'
import { Random } from '../../../src/numeric/random.js'
import { mean } from '../../../src/numeric/summary.js'
import {
  constant,
  dailyHistory,
  exponential,
  pareto,
  paretoF,
  paretoG,
  renewalHistory,
} from './renewal.js'

function lawOf(law: UpdateLaw) {
  if (law.kind === 'none') throw new Error(law.why)
  return law
}

function worstError(law: UpdateLaw, truth: (x: number) => number): number {
  let worst = 0
  for (let x = 0.02; x < 8; x += 0.02)
    worst = Math.max(worst, Math.abs(updateGapCdf(lawOf(law), x) - truth(x)))
  return worst
}

describe('five-point derivatives', () => {
  it.each([
    // Shared oracles: E[U] from the closed form at four bin widths.
    [1, 0.744417],
    [0.5, 0.574713],
    [0.2, 0.509561],
    [0.1, 0.501309],
  ])('give E[U] of the closed form at h = %d', (step, expected) => {
    expect(1 / forwardSlope(paretoG, { x: 0, step })).toBeCloseTo(expected, 6)
  })

  it('find the flat region of the closed form', () => {
    const flat = flatRegion(paretoG, { widest: 1, narrowest: 0.001 })!
    expect(flat.changePeriod).toBeCloseTo(0.5, 5)
    expect(flat.trail[0]!.changePeriod).toBeCloseTo(0.744417, 6)
    // The trail falls with the width, as in figure 8(a), until rounding.
    for (let i = 1; i < 10; i++)
      expect(flat.trail[i]!.changePeriod).toBeLessThan(flat.trail[i - 1]!.changePeriod)
    expect(flatRegion(() => 0, { widest: 1, narrowest: 0.1 })).toBeNull()
  })

  it('recover F_U from M2 under fast visits', () => {
    // Shared oracles: lambda 100 and T = 10^5 give a worst error of about .0016; here
    // T = 10^4, so about sqrt(10) times that, .005, on average.
    const random = new Random(9)
    const contentAges = new Float64Array(1_000_000)
    let next = pareto(random)
    let last = 0
    for (let i = 0; i < contentAges.length; i++) {
      const at = (i + 1) * 0.01
      while (next <= at) {
        last = next
        next += pareto(random)
      }
      contentAges[i] = at - last
    }
    const estimate: DistributionEstimate = {
      ...m2.estimate(dailyHistory([1])),
      kind: 'curve',
      verdict: 'ok',
      samples: contentAges.length,
      curve: stepCurve(contentAges),
    }
    const law = fivePointLaw(estimate)
    expect(worstError(law, paretoF)).toBeLessThan(0.01)
    expect(lawOf(law).changePeriod).toBeCloseTo(0.5, 1)
    expect(worstError(concaveLaw(estimate), paretoF)).toBeLessThan(0.04)
  })
})

describe('the concave law', () => {
  it('beats the five-point derivative for M6 at moderate lengths, as the shared oracles say', () => {
    const errors: { concave: number[]; fivePoint: number[]; period: number[] } = {
      concave: [],
      fivePoint: [],
      period: [],
    }
    for (let seed = 1; seed <= 10; seed++) {
      const random = new Random(seed)
      const history = renewalHistory({ random, update: pareto, gap: exponential, visits: 10_000 })
      const estimate = m6.estimate(history, { binWidth: 0.05, upTo: 20 })
      errors.concave.push(worstError(concaveLaw(estimate), paretoF))
      errors.fivePoint.push(worstError(fivePointLaw(estimate), paretoF))
      errors.period.push(lawOf(concaveLaw(estimate)).changePeriod)
    }
    expect(mean(errors.concave)).toBeLessThan(mean(errors.fivePoint))
    expect(mean(errors.concave)).toBeLessThan(0.12)
    expect(Math.abs(mean(errors.period) - 0.5)).toBeLessThan(0.04)
  })

  it('gives back the exponential law and its mean', () => {
    const random = new Random(31)
    const history = renewalHistory({
      random,
      update: exponential,
      gap: exponential,
      visits: 50_000,
    })
    for (const method of [m2, m6]) {
      const law = lawOf(concaveLaw(method.estimate(history)))
      expect(Math.abs(law.changePeriod - 1)).toBeLessThan(0.06)
      expect(worstError(law, (x) => 1 - Math.exp(-x))).toBeLessThan(0.06)
    }
  })
})

describe('a law of update gaps', () => {
  it('is refused where the curve is not an age distribution', () => {
    const random = new Random(4)
    const history = renewalHistory({ random, update: pareto, gap: constant, visits: 200 })
    for (const law of [fivePointLaw, concaveLaw]) {
      expect(law(m1.estimate(history))).toMatchObject({
        kind: 'none',
        why: 'not-an-age-distribution',
      })
      expect(law(m4.estimate(dailyHistory([])))).toMatchObject({ why: 'no-curve' })
      expect(law(m4.estimate(dailyHistory([1, 1, 1])))).toMatchObject({ why: 'too-few-points' })
      expect(law(m6.estimate(dailyHistory([0, 0, 0, 0, 0])))).toMatchObject({
        why: 'no-change-seen',
      })
    }
    expect(() => fivePointLaw(m2.estimate(history), { binWidth: 0 })).toThrow(/binWidth/)
    const law = concaveLaw(m4.estimate(history))
    expect(lawOf(law).caution).toMatch(/interpolation/)
  })
})
