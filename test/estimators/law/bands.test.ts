import { describe, expect, it } from 'vitest'
import { bands } from '../../../src/estimators/law/bands.js'
import { cdfAt } from '../../../src/estimators/law/distribution.js'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import { m4 } from '../../../src/estimators/law/m3-m5.js'
import { m6 } from '../../../src/estimators/law/m6.js'
import { resampled } from '../../../src/estimators/law/resampled.js'
import { Random } from '../../../src/numeric/random.js'
import { constant, dailyHistory, exponential, pareto, paretoG, renewalHistory } from './renewal.js'

const at = [1, 2, 4]

describe('bands', () => {
  it.each([
    ['exponential', exponential, (x: number) => 1 - Math.exp(-x)],
    ['Pareto', pareto, paretoG],
  ] as const)('hold the truth about as often as they say: %s updates', (_, update, truth) => {
    let held = 0
    const trials = 80
    for (let seed = 0; seed < trials; seed++) {
      const random = new Random(seed)
      const history = renewalHistory({ random, update, gap: constant, visits: 300 })
      const band = bands(resampled(history, m4, { random, copies: 60, level: 0.9 }), { at })
      if (band.kind === 'none') throw new Error(band.why)
      at.forEach((x, i) => {
        if (band.low[i]! <= truth(x) && truth(x) <= band.high[i]!) held++
      })
    }
    // 240 places in groups of three: sd about .025. A few long runs hold much of the time, which
    // widens the bounds (effectiveRuns): they hold more often than they say, never less.
    expect(held / (3 * trials)).toBeGreaterThan(0.9)
  })

  it('do not collapse where no run was long enough to tell', () => {
    const changes = Array.from({ length: 41 }, (_, i) => i % 2)
    const band = bands(resampled(dailyHistory(changes), m4, { random: new Random(1) }), { at: [5] })
    if (band.kind === 'none') throw new Error(band.why)
    expect(band.low[0]!).toBeLessThan(0.95)
    expect(band.high[0]).toBe(1)
  })

  it('surround the curve, and are the same for the same seed', () => {
    const history = renewalHistory({
      random: new Random(5),
      update: pareto,
      gap: exponential,
      visits: 800,
    })
    for (const method of [m2, m6]) {
      const make = () =>
        bands(resampled(history, method, { random: new Random(6), copies: 50 }), { at })
      const once = make()
      expect(make()).toEqual(once)
      const estimate = method.estimate(history)
      if (once.kind === 'none' || estimate.kind === 'none') throw new Error('none')
      at.forEach((x, i) => {
        const here = cdfAt(estimate.curve, x)
        expect(once.low[i]!).toBeLessThanOrEqual(here + 0.02)
        expect(once.high[i]!).toBeGreaterThanOrEqual(here - 0.02)
        expect(once.low[i]!).toBeLessThan(once.high[i]!)
      })
    }
    const own = bands(resampled(history, m2, { random: new Random(6), copies: 2 }))
    expect(own.kind === 'bands' && own.x.length).toBeLessThanOrEqual(202)
  })

  it('are refused for too few runs and for levels that cannot be', () => {
    const random = new Random(1)
    expect(bands(resampled(dailyHistory([1, 0, 1, 0]), m4, { random }))).toEqual({
      kind: 'none',
      why: 'too-few-runs',
    })
    expect(bands(resampled(dailyHistory([1, 1, 1, 1, 1, 1, 1]), m2, { random }))).toEqual({
      kind: 'none',
      why: 'no-curve',
    })
    expect(() => resampled(dailyHistory([]), m4, { random, level: 1 })).toThrow(/level/)
    expect(() => resampled(dailyHistory([]), m4, { random, copies: 0 })).toThrow(/copies/)
  })
})
