import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { biasReduced } from '../../../src/estimators/rate/bias-reduced.js'
import { intuitive } from '../../../src/estimators/rate/intuitive.js'
import { irregularMle, irregularMleWith } from '../../../src/estimators/rate/irregular-mle.js'
import { mostLikelyRate } from '../../../src/estimators/rate/likelihood.js'
import { DAY } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { bisect } from '../../../src/numeric/root.js'
import { median } from '../../../src/numeric/summary.js'
import { historyFromGaps } from '../../contracts/estimator.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

const oracles = inject('oracles')
const gapsOf = (each: { changed: number[]; unchanged: number[] }) => [
  ...each.changed,
  ...each.unchanged.map((gap) => -gap),
]

describe('Grimes & Ford', () => {
  // Figure 1: seven updates in T = 8C; a crawler at C sees 6 changes, one at 2C sees 4.
  it('Figure 1: the intuitive estimate falls with the gap', () => {
    const fine = historyFromGaps([1, 1, -1, 1, 1, 1, -1, 1])
    const coarse = historyFromGaps([2, 2, 2, 2])
    expect(intuitive.estimate(fine).changeRate).toBe(6 / 8)
    expect(intuitive.estimate(coarse).changeRate).toBe(4 / 8)
  })

  it.skipIf(oracles === null)('eq. 2 by its vectors (shared oracles; skipped where absent)', () => {
    for (const each of oracles.grimes_eq2) {
      expect(irregularMle.estimate(historyFromGaps(gapsOf(each))).changeRate).toBeCloseTo(
        each.lam,
        11,
      )
    }
  })

  // Closed form: K unchanged and L changed equal gaps t give ln(1 + L/K) / t.
  it('eq. 2 at equal gaps is its closed form', () => {
    const whole = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(whole, whole, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (k, l, gap) => {
        const gaps = Array.from({ length: k + l }, (_, i) => (i < l ? gap : -gap))
        const expected = Math.log(1 + l / k) / gap
        expect(irregularMle.estimate(historyFromGaps(gaps)).changeRate! / expected).toBeCloseTo(
          1,
          11,
        )
      }),
      { seed: 31 },
    )
  })

  it('eq. 2 agrees with bisection on any gaps', () => {
    const gap = fc.double({ min: -4, max: 6, noNaN: true }).map((power) => 10 ** power)
    const some = fc.array(gap, { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(some, some, (changed, unchanged) => {
        const unchangedTime = unchanged.reduce((a, b) => a + b, 0)
        const slope = (logRate: number) =>
          changed.reduce(
            (total, each) => total + each / Math.expm1(Math.exp(logRate) * each),
            -unchangedTime,
          )
        const reference = Math.exp(bisect(slope, { low: -40, high: 20 }))
        const ours = irregularMle.estimate(
          historyFromGaps([...changed, ...unchanged.map((each) => -each)]),
        )
        expect(ours.changeRate! / reference).toBeCloseTo(1, 9)
      }),
      { seed: 32 },
    )
  })

  it("gives the papers' substitutes at the edges", () => {
    expect(irregularMle.estimate(historyFromGaps([-3, -4]))).toMatchObject({
      changeRate: 1 / 7,
      verdict: 'no-change-seen',
    })
    expect(irregularMle.estimate(historyFromGaps([5, 2, 9]))).toMatchObject({
      changeRate: 1 / 2,
      verdict: 'always-changed',
    })
  })

  // By hand: 2 of 5 daily gaps unchanged, so -ln(2.5 / 5.5) = 0.7885 changes a day.
  it('eq. 1 matches the closed form', () => {
    const { changeRate } = biasReduced.estimate(historyFromGaps([DAY, DAY, DAY, -DAY, -DAY]))
    expect(changeRate! * DAY).toBeCloseTo(0.7884573603642703, 12)
  })

  it('eq. 1 says when the gaps are not equal', () => {
    expect(biasReduced.estimate(historyFromGaps([1, -2, 1])).verdict).toBe('unequal-gaps')
    expect(biasReduced.estimate(historyFromGaps([1, -1.04, 1])).verdict).toBe('ok')
  })

  it('pseudo-gaps are just two more gaps', () => {
    const data = [3, -1, 8]
    const plain = irregularMle.estimate(historyFromGaps([...data, 10, -4])).changeRate!
    const prior = irregularMleWith({ pseudoGaps: { changed: 10, unchanged: 4 } })
    expect(prior.estimate(historyFromGaps(data)).changeRate).toBeCloseTo(plain, 12)
    expect(() => irregularMleWith({ pseudoGaps: { changed: 0, unchanged: 4 } })).toThrow(
      /positive durations/,
    )
  })

  it('the bounds hold the truth about as often as they say (90%, 40 daily visits)', () => {
    const random = new Random(33)
    const gaps = new Float64Array(40).fill(1)
    let held = 0
    for (let i = 0; i < 2000; i++) {
      const { bounds } = irregularMle.estimate(poissonPage({ changePeriod: 2, gaps }, random), {
        level: 0.9,
      })
      if (bounds!.low <= 0.5 && 0.5 <= (bounds!.high ?? Infinity)) held++
    }
    // 4 standard errors of 2,000 draws at 0.9 are 0.027.
    expect(Math.abs(held / 2000 - 0.9)).toBeLessThan(0.03)
  })

  it('is consistent where the intuitive estimate is not, at irregular gaps', () => {
    const random = new Random(34)
    const errors: { mle: number[]; naive: number[] } = { mle: [], naive: [] }
    for (let i = 0; i < 300; i++) {
      const gaps = Float64Array.from({ length: 200 }, () => 2 * random.uniform() + 0.01)
      const history = poissonPage({ changePeriod: 1, gaps }, random)
      errors.mle.push(irregularMle.estimate(history).changeRate!)
      errors.naive.push(intuitive.estimate(history).changeRate!)
    }
    expect(Math.abs(median(errors.mle) - 1)).toBeLessThan(0.03)
    expect(median(errors.naive)).toBeLessThan(0.7)
  })
})

describe('mostLikelyRate', () => {
  it('knows its ends', () => {
    const none = new Float64Array(0)
    expect(mostLikelyRate({ events: 0, exposure: 5, hidden: none })).toBe(0)
    expect(mostLikelyRate({ events: 0, exposure: 0, hidden: Float64Array.of(1) })).toBe(Infinity)
    expect(mostLikelyRate({ events: 4, exposure: 8, hidden: none })).toBeCloseTo(0.5, 15)
  })
})
