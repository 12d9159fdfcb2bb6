import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  consistentWindows,
  duaneTrend,
  intuitiveTrend,
  predictNext,
  weibullTrend,
} from '../../../src/estimate/trend/index.js'
import { OptionError } from '../../../src/model/index.js'
import { Random } from '../../../src/numeric/index.js'
import { powerLawTimes, seriesAt, timesOf } from './series.js'

const windowOf = (gaps: number[]) => consistentWindows(seriesAt(timesOf(gaps)))[0]!
const falling = windowOf([1, 2, 3, 4])
const rising = windowOf([4, 3, 2, 1])

describe('predictNext', () => {
  it('waits the mean time between updates, and alpha of it while the change rate falls', () => {
    // By hand: 4 updates in 10, so the intuitive mean is 2.5 and 0.7 of it 1.75.
    const estimator = intuitiveTrend
    expect(predictNext(falling, { estimator })).toMatchObject({ mtbu: 2.5, alpha: 0.7, at: 11.75 })
    expect(predictNext(falling, { estimator, alpha: 1 }).at).toBe(12.5)
    expect(predictNext(rising, { estimator })).toMatchObject({ alpha: 1, at: 12.5 })
  })

  it('counts from the origin of its window', () => {
    const late = consistentWindows({ ...seriesAt([101, 103, 106, 110]), origin: 100 })[0]!
    expect(predictNext(late, { estimator: intuitiveTrend }).at).toBe(111.75)
  })

  it('goes on from a premature visit by the curve, or by the same wait', () => {
    // By hand: 4 updates in 12 is a mean of 3, in 10 one of 2.5.
    const options = { estimator: intuitiveTrend, alpha: 1, unchangedAt: 12 }
    expect(predictNext(falling, options).at).toBe(15)
    expect(predictNext(falling, { ...options, afterPremature: 'same-wait' }).at).toBe(14.5)
    expect(predictNext(falling, { ...options, unchangedAt: 5 }).at).toBe(12.5)
  })

  it('has exponential bounds where the change rate is constant', () => {
    // By hand: from t = 10 with 0.4 a unit, the quantiles of the next update are -ln(1-p) / 0.4.
    const { bounds, median } = predictNext(falling, { estimator: intuitiveTrend, level: 0.9 })
    expect(median).toBeCloseTo(10 + Math.LN2 / 0.4, 12)
    expect(bounds!.low).toBeCloseTo(10 - Math.log(0.95) / 0.4, 12)
    expect(bounds!.high).toBeCloseTo(10 - Math.log(0.05) / 0.4, 12)
  })

  it('holds the next update of a long window as often as it says', () => {
    // 3,000 seeded windows of 60 points; four standard errors of 80% are 2.9%, and the
    // uncertainty of the curve, left out, costs about one more.
    const random = new Random(81)
    let held = 0
    for (let i = 0; i < 3000; i++) {
      const times = powerLawTimes(random, { n: 61, shape: 0.6 })
      const { origin, points } = seriesAt(times.slice(0, -1))
      const window = { ...falling, origin, points, times: times.slice(0, -1) }
      const { low, high } = predictNext(window, { level: 0.8 }).bounds!
      if (times[60]! > low && times[60]! < high) held++
    }
    expect(Math.abs(held / 3000 - 0.8)).toBeLessThan(0.04)
  })

  it('gives nulls and the verdict where the window cannot be fitted', () => {
    const short = windowOf([1, 2])
    expect(predictNext(short)).toMatchObject({
      at: null,
      mtbu: null,
      bounds: null,
      median: null,
      verdict: 'too-few-points',
    })
  })

  it('is after the last update and finite, whatever the window', () => {
    const gaps = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), {
      minLength: 4,
      maxLength: 30,
    })
    const estimators = [intuitiveTrend, weibullTrend(), duaneTrend()]
    fc.assert(
      fc.property(gaps, fc.constantFrom(...estimators), (some, estimator) => {
        const window = consistentWindows(seriesAt(timesOf(some))).at(-1)!
        const next = predictNext(window, { estimator })
        for (const value of [next.at, next.median, next.bounds?.low ?? null])
          if (value !== null) expect(value).toBeGreaterThanOrEqual(window.points.at(-1)!.at)
        if (next.bounds) expect(next.bounds.high).toBeLessThan(Infinity)
      }),
      { seed: 82 },
    )
  })

  it('refuses an alpha or a level that cannot be', () => {
    expect(() => predictNext(falling, { alpha: 0 })).toThrow(OptionError)
    expect(() => predictNext(falling, { alpha: 1.5 })).toThrow(OptionError)
    expect(() => predictNext(falling, { level: 0 })).toThrow(OptionError)
  })
})
