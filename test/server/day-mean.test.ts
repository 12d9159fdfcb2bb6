import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { DayMean } from '../../src/server/collection/forecast.js'

describe('DayMean', () => {
  it('begins with the first value, and follows within days', () => {
    const mean = new DayMean()
    expect(mean.with(0.5, 0)).toBe(0.5)
    let value = 0
    for (let hour = 1; hour <= 240; hour++) value = mean.with(0.9, hour * HOUR)
    // By hand: of ten days back e^-10 is left.
    expect(value).toBeCloseTo(0.9, 4)
  })

  it('is near the mean of a value that swings by the hour', () => {
    const mean = new DayMean()
    const values = Array.from({ length: 24 * 20 }, (_, hour) =>
      mean.with(hour % 24 < 12 ? 0.6 : 0.9, hour * HOUR),
    )
    const last = values.slice(-24)
    for (const value of last) expect(Math.abs(value - 0.75)).toBeLessThan(0.05)
  })

  it('takes two values of one moment', () => {
    const mean = new DayMean()
    mean.with(0.2, DAY)
    expect(mean.with(0.4, DAY)).toBe(0.2)
  })
})
