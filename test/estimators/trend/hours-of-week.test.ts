import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hoursOfWeek } from '../../../src/estimators/trend/hours-of-week.js'
import { updatePoints } from '../../../src/estimators/trend/update-points.js'
import { sum } from '../../../src/numeric/summary.js'
import { histories } from '../../contracts/estimator.js'

const HOUR = 3600
const WEEK = 168 * HOUR
/** A Monday, 00:00 UTC. */
const monday = Date.UTC(2026, 0, 5) / 1000

describe('hoursOfWeek', () => {
  it('puts a dated change in its hour', () => {
    // Seen on Wednesday at noon, two and a half hours after the change.
    const at = monday + 60 * HOUR
    const { changes, dated } = hoursOfWeek({
      start: { at: monday },
      observations: [{ at, gap: 60 * HOUR, changed: true, contentAge: 2.5 * HOUR }],
    })
    expect(dated).toBe(1)
    expect(changes[57]).toBe(1)
    expect(sum(changes)).toBe(1)
  })

  it('shares any other out over its gap, by the part of each hour that lies in it', () => {
    // By hand: from Sunday 22:30 to Monday 00:00, a half and one hour out of one and a half.
    const { changes, watched } = hoursOfWeek({
      start: { at: monday - 1.5 * HOUR },
      observations: [{ at: monday, gap: 1.5 * HOUR, changed: true }],
    })
    expect([changes[166], changes[167], changes[0]]).toEqual([
      expect.closeTo(1 / 3, 12),
      expect.closeTo(2 / 3, 12),
      0,
    ])
    expect([watched[166], watched[167], watched[0]]).toEqual([0.5, 1, 0])
  })

  it('counts whole weeks evenly', () => {
    const { watched } = hoursOfWeek({
      start: { at: monday },
      observations: [{ at: monday + 3 * WEEK + HOUR, gap: 3 * WEEK + HOUR, changed: false }],
    })
    expect(watched[0]).toBeCloseTo(4, 9)
    expect(watched[1]).toBeCloseTo(3, 9)
    expect(watched[167]).toBeCloseTo(3, 9)
  })

  it('counts every change once and every hour watched', () => {
    fc.assert(
      fc.property(histories({ widest: 1e7 }), (history) => {
        const { changes, watched } = hoursOfWeek(history)
        const gaps = sum(history.observations.map(({ gap }) => gap))
        expect(sum(changes)).toBeCloseTo(updatePoints(history).points.length, 6)
        expect(sum(watched) * HOUR).toBeCloseTo(gaps, -Math.log10(gaps + 1) + 7)
        for (const value of [...changes, ...watched]) expect(value).toBeGreaterThanOrEqual(0)
      }),
      { seed: 71, numRuns: 100 },
    )
  })

  it('stays finite far outside the calendar', () => {
    for (const at of [1e16, 1e22, -1e22, 1e300]) {
      const { changes, watched } = hoursOfWeek({
        start: { at: at / 2 },
        observations: [{ at, gap: Math.abs(at / 2), changed: true }],
      })
      for (const value of [...changes, ...watched]) expect(Number.isFinite(value)).toBe(true)
    }
  })
})
