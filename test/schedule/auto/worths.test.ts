import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/model/index.js'
import { flatClock, twoPaceLaws as laws, weekClock } from '../../../src/numeric/index.js'
import {
  bestGap,
  lawWorths,
  type Objective,
  reward,
  weekWorths,
} from '../../../src/schedule/index.js'

const objectives: Objective[] = ['freshness', 'copy-age', 'changes-caught']
const poisson = (pace: number) => {
  const belief = new Float64Array(2 * laws.size + 1)
  belief[2 * pace] = 1
  return belief
}
const choose = (
  belief: Float64Array,
  {
    price,
    objective = 'freshness',
    clock = flatClock,
    at = 0,
  }: {
    price: number
    objective?: Objective
    clock?: typeof flatClock
    at?: number
  },
) =>
  bestGap(belief, {
    at,
    problem: { price, objective, clock },
    out: { gap: 0, chance: 0, worth: 0 },
  })

describe('reward', () => {
  // By quadrature: the integral of e^-u over 2 is 0.8647; of 1 - e^-u twice, 1.1353 (SciPy quad, dblquad).
  it('is fresh time, copy age summed, or the chance of a change', () => {
    const at = { pace: 1, gap: 2 }
    expect(reward('freshness', at)).toBeCloseTo(0.864665, 6)
    expect(reward('changes-caught', at)).toBeCloseTo(0.864665, 6)
    expect(reward('copy-age', at)).toBeCloseTo(-0.864665, 6)
  })

  it('does not lose the copy age of a slow page to rounding', () => {
    for (const gap of [1e-3, 1.001e-3])
      expect(reward('copy-age', { pace: 1, gap }) / (-(gap ** 3) / 6)).toBeCloseTo(1, 2)
  })
})

describe('lawWorths', () => {
  // Cho & Garcia-Molina: at the best gap x of a Poisson page 1 - (1 + x) e^-x = price, in units of its period.
  it('finds the gap of the closed form for Poisson laws', () => {
    const price = 6 * HOUR
    const { poissonGaps } = lawWorths({ price, objective: 'freshness' })
    for (const [j, pace] of laws.changeRates.entries()) {
      if (pace * price > 0.8 || poissonGaps[j]! > 200 * DAY) continue
      const x = pace * poissonGaps[j]!
      expect(1 - (1 + x) * Math.exp(-x)).toBeGreaterThan(0.72 * pace * price)
      expect(1 - (1 + x) * Math.exp(-x)).toBeLessThan(1.4 * pace * price)
    }
  })

  it.each(objectives)('asks for fewer visits as the price rises (%s)', (objective) => {
    const start = objective === 'changes-caught' ? 0.01 : objective === 'copy-age' ? 1e8 : 1e3
    const masses = new Float64Array(laws.size).fill(1)
    let before = Infinity
    for (let price = start; price < 50 * start; price *= 2) {
      const { visitRates } = lawWorths({ price, objective })
      const visitRate = visitRates.reduce((sum, each, law) => sum + masses[law]! * each, 0)
      expect(visitRate).toBeGreaterThan(0)
      expect(visitRate).toBeLessThanOrEqual(before)
      before = visitRate
    }
  })

  it('gives up pages that are stale again at once', () => {
    const { net } = lawWorths({ price: DAY, objective: 'freshness' })
    expect(net[laws.changeRates.length - 1]).toBe(0)
    expect(net[0]).toBeGreaterThan(0.5)
  })
})

describe('bestGap', () => {
  it('is near the best gap of a law that is certain', () => {
    const { poissonGaps } = lawWorths({ price: 6 * HOUR, objective: 'freshness' })
    for (const pace of [4, 6, 8]) {
      const { gap } = choose(poisson(pace), { price: 6 * HOUR })
      expect(gap / poissonGaps[pace]!).toBeGreaterThan(0.8)
      expect(gap / poissonGaps[pace]!).toBeLessThan(1.25)
    }
  })

  it('waits longer where a request costs more', () => {
    const gaps = [1, 4, 16].map((hours) => choose(poisson(6), { price: hours * HOUR }).gap)
    expect(gaps[0]).toBeLessThan(gaps[1]!)
    expect(gaps[1]).toBeLessThan(gaps[2]!)
  })

  it('comes after the hours in which the page changes, not amid them', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour >= 15 && hour < 18 ? 8 : 0))
    const clock = weekClock({ weekdays: new Array(7).fill(1), hours })
    const daily = laws.changeRates.findIndex((pace) => pace > 0.6 / DAY)
    for (const at of [0, 20 * HOUR, 45 * HOUR]) {
      const { gap } = choose(poisson(daily), { price: 4 * HOUR, clock, at })
      const hour = ((at + gap) % DAY) / HOUR
      expect(hour).toBeGreaterThanOrEqual(17)
      expect(hour).toBeLessThanOrEqual(22)
    }
    const { gain } = weekWorths(clock, { price: 4 * HOUR, objective: 'freshness' })
    expect(gain[daily]).toBeGreaterThan(0.05)
  })

  it.each(objectives)('is finite for any certain law and price (%s)', (objective) => {
    for (let pace = 0; pace < laws.changeRates.length; pace++)
      for (const price of [1e-6, 1, 1e4, 1e8, 1e14]) {
        const { gap, chance, worth } = choose(poisson(pace), { price, objective })
        expect(gap).toBeGreaterThan(0)
        expect(gap).toBeLessThanOrEqual(400 * DAY)
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(worth)).toBe(true)
      }
  })
})
