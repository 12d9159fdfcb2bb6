import { describe, expect, it } from 'vitest'
import { HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { weekClock, weekTime } from '../../src/numeric/week-clock.js'
import { GapLog, tallyHours } from '../../src/planner/prior/fit-clock.js'

const random = new Random(5)
const clock = weekClock({
  weekdays: Array.from({ length: 7 }, () => 0.2 + random.uniform()),
  hours: Array.from({ length: 24 }, () => 0.2 + random.uniform()),
})

/** Hour by hour, as it is defined. */
function tallied(columns: ArrayLike<number>) {
  const found = new Float64Array(168)
  const all = new Float64Array(168)
  for (let row = 0; row < columns.length; row += 4) {
    const [from, to, changed, expected] = [0, 1, 2, 3].map((i) => columns[row + i]!) as number[]
    const perClock = expected! / (weekTime(clock, to!) - weekTime(clock, from!))
    for (let at = from!; at < to!; at = (Math.floor(at / HOUR) + 1) * HOUR) {
      const end = Math.min(to!, (Math.floor(at / HOUR) + 1) * HOUR)
      const hour = Math.floor(at / HOUR) % 168
      const mass = perClock * clock.speeds[hour]! * (end - at)
      all[hour]! += mass
      if (changed === 1) found[hour]! += mass / -Math.expm1(-expected!)
    }
  }
  return { found, all }
}

describe('changes by the hour of the week', () => {
  it('are those of each hour, for gaps of minutes and of more than a week', () => {
    const log = new GapLog({ room: 300 })
    for (let i = 0; i < 300; i++) {
      const at = 1.7e9 + 3e7 * random.uniform()
      const gap = 60 * 10 ** (4.06 * random.uniform())
      const changed = random.uniform() < 0.4
      log.note({ at, gap, changed, chance: 0.01 + 0.9 * random.uniform() })
    }
    expect(log.size).toBe(300)
    const { found, all } = tallied(log.columns)
    const { days, hours } = tallyHours(log, { clock, weight: 1 })
    for (let day = 0; day < 7; day++) {
      const own = (each: Float64Array) =>
        each.slice(24 * day, 24 * day + 24).reduce((a, b) => a + b, 0)
      expect(days.found[day]! / own(found)).toBeCloseTo(1, 9)
      expect((days.expected[day]! * clock.weekdays[day]!) / own(all)).toBeCloseTo(1, 9)
    }
    for (let hour = 0; hour < 24; hour++) {
      const own = (each: Float64Array) =>
        each.filter((_, i) => i % 24 === hour).reduce((a, b) => a + b, 0)
      expect(hours.found[hour]! / own(found)).toBeCloseTo(1, 9)
      expect((hours.expected[hour]! * clock.hours[hour]!) / own(all)).toBeCloseTo(1, 9)
    }
  })
})
