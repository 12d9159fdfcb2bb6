import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock, flatterClock, weekClock, weekGap } from '../../src/numeric/week-clock.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { openChangeLaw } from '../../src/planner/posterior/posterior.js'

/** Nearly everything happens from 8 to 16 (UTC). */
const office = weekClock({
  weekdays: new Float64Array(7).fill(1),
  hours: Float64Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 16 ? 2.9 : 0.05)),
})
const learner = autoLearner({ law: { ...openChangeLaw, clock: office } })

/** The chance of the flat clock after 200 visits at odd gaps of a page that changes once a day on a clock. */
function flatChance(clock: typeof office, seed: number): number {
  const random = new Random(seed)
  const memory = learner.newMemory()
  let at = 1e9
  for (let visit = 0; visit < 200; visit++) {
    const gap = HOUR * (3 + 6 * random.uniform())
    at += gap
    const changed = random.uniform() < -Math.expm1(-weekGap(clock, { at, gap }) / DAY)
    learner.learn(memory, { at, gap, changed, contentAge: Number.NaN })
  }
  return learner.posterior(memory).flatClockShare
}

describe('two clocks', () => {
  it('start with the hours of the group at e to 1', () => {
    const memory = learner.newMemory()
    expect(learner.posterior(memory).flatClockShare).toBeCloseTo(1 / (1 + Math.E), 12)
  })

  it('are told apart by a page that keeps the hours of its group, and by one that does not', () => {
    for (const seed of [1, 2, 3]) {
      expect(flatChance(office, seed), 'keeps them').toBeLessThan(0.05)
      expect(flatChance(flatClock, seed), 'keeps none').toBeGreaterThan(0.95)
    }
  })

  it('tell nothing where no time is known', () => {
    const memory = learner.newMemory()
    for (let visit = 0; visit < 20; visit++)
      learner.learn(memory, { gap: HOUR, changed: visit % 3 === 0, contentAge: Number.NaN })
    expect(learner.posterior(memory).flatClockShare).toBeCloseTo(1 / (1 + Math.E), 12)
  })

  it('hold no surprise for visits in any number', () => {
    const memory = learner.newMemory()
    for (let visit = 0; visit < 5000; visit++)
      learner.learn(memory, { at: 1e9 + visit, gap: 1, changed: true, contentAge: Number.NaN })
    const { masses, ...rest } = learner.posterior(memory)
    expect([...masses, ...Object.values(rest)].every(Number.isFinite)).toBe(true)
  })
})

describe('flatterClock', () => {
  it('lies between a clock and the flat one, and keeps its week', () => {
    expect(flatterClock(office, 0)).toBe(office)
    expect(flatterClock(office, 1)).toBe(flatClock)
    const half = flatterClock(office, 0.5)
    expect(flatterClock(office, 0.55)).toBe(half)
    half.speeds.forEach((speed, hour) => {
      expect(speed).toBeCloseTo((1 + office.speeds[hour]!) / 2, 12)
    })
    expect(half.passed.at(-1)).toBeCloseTo(7 * DAY, 3)
  })
})
