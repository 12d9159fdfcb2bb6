import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consistentWindows } from '../../../src/estimators/trend/consistent-windows.js'
import { duaneTrend } from '../../../src/estimators/trend/duane.js'
import { intuitiveTrend } from '../../../src/estimators/trend/intuitive.js'
import { predictNext } from '../../../src/estimators/trend/predict-next.js'
import { weibullTrend } from '../../../src/estimators/trend/weibull.js'
import { OptionError } from '../../../src/model/errors.js'
import { Random } from '../../../src/numeric/random.js'
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

  // Seeded windows; four standard errors of 80% are 2.9%. Taking the curve for the truth, four
  // points hold the next update in 60% of the cases.
  it.each([4, 6, 60])('holds the next update after %i points as often as it says', (n) => {
    const random = new Random(81)
    let held = 0
    for (let i = 0; i < 3000; i++) {
      const times = powerLawTimes(random, { n: n + 1, shape: 0.6 })
      const { origin, points } = seriesAt(times.slice(0, -1))
      const window = { ...falling, origin, points, times: times.slice(0, -1) }
      const { low, high } = predictNext(window, { level: 0.8 }).bounds!
      if (times[n]! > low && times[n]! < high) held++
    }
    expect(Math.abs(held / 3000 - 0.8)).toBeLessThan(0.029)
  })

  it('hears of the silence after the last update', () => {
    // By hand: beta^ is 4 / sum of ln(T / t_i), and the change rate at T is 4 beta^ / T.
    const times = [4, 7, 9, 10]
    const at = 40
    const shape = 4 / times.reduce((logs, t) => logs + Math.log(at / t), 0)
    const next = predictNext(windowOf([4, 3, 2, 1]), { unchangedAt: at })
    expect(next.mtbu).toBeCloseTo(at / (4 * shape), 10)
    // Without it the rising curve goes on through the silence, up to a gap of a hundredth.
    expect(weibullTrend().fit(times).mtbu(at)!).toBeLessThan(0.2)
    // The tail of beta^ ln(next / T) is (1 + x)^-4, so half lie below 2^(1/4) - 1.
    expect(next.median).toBeCloseTo(at * Math.exp((2 ** 0.25 - 1) / shape), 10)
  })

  it('holds the next update after a silence as often as it says', () => {
    // Watched for 8 mean gaps of a steady page, whatever was seen then, from four updates on.
    const random = new Random(83)
    let held = 0
    let reported = 0
    for (let i = 0; i < 4000; i++) {
      const times = powerLawTimes(random, { n: 40, shape: 1, scale: 1 })
      const seen = times.filter((t) => t < 8)
      const { origin, points } = seriesAt(seen)
      const window = { ...rising, origin, points, times: seen }
      const { bounds } = predictNext(window, { level: 0.8, unchangedAt: 8 })
      if (bounds === null) continue
      reported++
      if (times[seen.length]! > bounds.low && times[seen.length]! < bounds.high) held++
    }
    expect(reported).toBeGreaterThan(3500)
    expect(Math.abs(held / reported - 0.8)).toBeLessThan(0.03)
  })

  it('says nothing from fewer points than the paper’s shortest window', () => {
    const three = windowOf([5, 2.5, 0.8])
    for (const estimator of [weibullTrend(), duaneTrend(), intuitiveTrend])
      expect(predictNext(three, { estimator })).toMatchObject({
        at: null,
        bounds: null,
        verdict: 'under-four-points',
      })
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
