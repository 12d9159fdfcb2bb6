import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trendOf } from '../../../src/estimators/trend/trend-of.js'
import type { History } from '../../../src/model/history.js'
import { DAY } from '../../../src/model/units.js'

/** Visited daily for 128 days; changes on the days that are powers of two: ever slower. */
const slowing: History = {
  start: { at: 0 },
  observations: Array.from({ length: 128 }, (_, i) => ({
    at: (i + 1) * DAY,
    gap: DAY,
    changed: Number.isInteger(Math.log2(i + 1)),
  })),
}

describe('trendOf', () => {
  it('tells that a page slows down, and bounds its next update', () => {
    const trend = trendOf(slowing, { windows: { equalWithin: 0 } })
    expect(trend.series.points).toHaveLength(8)
    expect(trend.windows.map(({ window }) => window.state)).toEqual(['decreasing'])
    expect(trend.windows[0]!.curve).toMatchObject({ method: 'weibull', verdict: 'ok' })
    expect(trend.windows[0]!.curve.law!.exponent).toBeLessThan(0.6)
    expect(trend.test).toMatchObject({ test: 'mil-hdbk-189', direction: 'falling' })
    expect(trend.next!.alpha).toBe(0.7)
    expect(trend.next!.at).toBeGreaterThan(128 * DAY)
  })

  it('states the rate at the end by the unbiased form, the last visit being the end', () => {
    const { windows } = trendOf(slowing, { windows: { equalWithin: 0 } })
    const { window, until, mtbuAtEnd } = windows[0]!
    expect(until).toBe(128 * DAY)
    // By hand: with n = 8 looked for until T, (n - 1) beta^ / T and beta^ = n / sum of ln(T / t_i).
    const logs = window.times.reduce((sum, t) => sum + Math.log(until / t), 0)
    expect(mtbuAtEnd).toBeCloseTo(until / ((7 * 8) / logs), 3)
  })

  it('does not take visits for updates', () => {
    const observations = Array.from({ length: 9 }, (_, i) => ({
      at: (i + 1) * DAY,
      gap: DAY,
      changed: true,
    }))
    const always = trendOf({ start: { at: 0 }, observations })
    expect(always.counted).toBe(false)
    expect(always.windows.every(({ mtbuAtEnd }) => mtbuAtEnd === null)).toBe(true)
    expect(always.next).toMatchObject({ at: null, verdict: 'visits-too-rare' })
  })

  it('has an answer for a page never seen to change', () => {
    const trend = trendOf({ start: { at: 5 }, observations: [{ at: 9, gap: 4, changed: false }] })
    expect(trend).toMatchObject({ windows: [], next: null, test: { verdict: 'no-update' } })
    expect(trend.series).toEqual({ origin: 5, until: 9, points: [] })
  })

  it('never holds NaN or Infinity, for any history', () => {
    const steps = fc.array(
      fc.record({
        gap: fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
        changed: fc.boolean(),
        contentAge: fc.double({ min: 0, max: 1e9, noNaN: true }),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(steps, (some) => {
        let at = 0
        const observations = some.map((each) => {
          at += each.gap
          return { at, ...each }
        })
        const trend = trendOf({ start: { at: 0 }, observations })
        const text = JSON.stringify(trend, (_, value) => {
          if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
          return value
        })
        expect(text).toContain('"verdict"')
      }),
      { seed: 101 },
    )
  })
})
