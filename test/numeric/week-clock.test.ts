import { describe, expect, it } from 'vitest'
import { flatClock, weekClock, weekGap, weekTime } from '../../src/numeric/week-clock.js'

const hour = 3600
const week = 168 * hour
const weekdays = [1, 1, 0.5, 0.5, 1, 1, 2]
const hours = Array.from({ length: 24 }, (_, i) => (i < 12 ? 0.5 : 1.5))
const clock = weekClock({ weekdays, hours })

describe('weekClock', () => {
  it('keeps step with the ordinary clock week by week', () => {
    for (const at of [0, 1234.5, 3 * week + 77, -5 * hour])
      expect(weekTime(clock, at + week) - weekTime(clock, at)).toBeCloseTo(week, 5)
  })

  // By hand: the products sum to 7 x 24 over the week, so the speed on Thursday at 13:00 is 1 x 1.5.
  it('runs at the product of weekday and hour', () => {
    const at = 13 * hour
    expect(weekTime(clock, at + 60) - weekTime(clock, at)).toBeCloseTo(90, 6)
    expect(weekGap(clock, { at: at + hour, gap: hour })).toBeCloseTo(1.5 * hour, 6)
  })

  it('never stands still or runs back', () => {
    const dead = weekClock({ weekdays, hours: hours.map((_, i) => (i === 9 ? 24 : 0)) })
    for (let at = -week; at < 2 * week; at += 1777)
      expect(weekTime(dead, at + 1777)).toBeGreaterThan(weekTime(dead, at))
  })

  it('is the ordinary clock where all hours are alike, or no time is told', () => {
    expect(weekTime(flatClock, 98765.4)).toBeCloseTo(98765.4, 6)
    expect(weekGap(clock, { at: Number.NaN, gap: 55 })).toBe(55)
  })
})
