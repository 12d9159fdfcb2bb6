import { describe, expect, it } from 'vitest'
import type { Posterior } from '../../src/model/policy.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock, weekClock } from '../../src/numeric/week-clock.js'
import { bestGap, paysOnSignal } from '../../src/planner/value/best-gap.js'
import { type Objective, objectives, reward } from '../../src/planner/value/objective.js'
import { lawValues, weekValues } from '../../src/planner/value/value-of-time.js'
import { aPoissonPage } from '../fixtures/a-posterior.js'

const choose = (
  posterior: Posterior,
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
  bestGap(posterior, {
    at,
    problem: { price, objective, clock },
    out: { gap: 0, chance: 0, value: 0 },
  })

describe('reward', () => {
  // By quadrature: the integral of e^-u over 2 is 0.8647 (SciPy quad).
  it('is fresh time, or the chance of a change', () => {
    const at = { changeRate: 1, gap: 2 }
    expect(reward('freshness', at)).toBeCloseTo(0.864665, 6)
    expect(reward('changes-caught', at)).toBeCloseTo(0.864665, 6)
  })

  // Changes of a Poisson page come evenly over the gap, r gap of them, and wait half of it each.
  it('is minus the time that changes wait, summed', () => {
    expect(reward('delay', { changeRate: 1, gap: 2 })).toBeCloseTo(-2, 12)
    expect(reward('delay', { changeRate: 3 / DAY, gap: 10 * DAY })).toBeCloseTo(-150 * DAY, 3)
  })

  // The law followed change by change: the same waiting by Monte Carlo, from either rate.
  it('counts changes after the first at the rates that the law then draws', () => {
    const law = laws.size - 8
    const gap = 3 / laws.meanRates[law]!
    const random = new Random(11)
    for (const begun of [laws.fast[law]!, laws.slow[law]!]) {
      const draws = 40_000
      let total = 0
      for (let draw = 0; draw < draws; draw++) {
        let changeRate = begun
        let at = -Math.log(1 - random.uniform()) / laws.changeRates[changeRate]!
        while (at < gap) {
          total += gap - at
          changeRate = random.uniform() < laws.share[law]! ? laws.fast[law]! : laws.slow[law]!
          at += -Math.log(1 - random.uniform()) / laws.changeRates[changeRate]!
        }
      }
      const changeRate = laws.changeRates[begun]!
      expect(-reward('delay', { changeRate, gap, law }) / (total / draws)).toBeGreaterThan(0.97)
      expect(-reward('delay', { changeRate, gap, law }) / (total / draws)).toBeLessThan(1.03)
    }
  })

  it('does not lose the waiting of a short gap to rounding', () => {
    const law = laws.size - 1
    const changeRate = laws.changeRates[laws.fast[law]!]!
    for (const passed of [0.999e-3, 1.001e-3]) {
      const gap = passed / laws.relaxation[law]!
      expect(
        reward('delay', { changeRate, gap, law }) / ((-changeRate * gap * gap) / 2),
      ).toBeCloseTo(1, 2)
    }
  })
})

describe('lawValues', () => {
  // Cho & Garcia-Molina: at the best gap x of a Poisson page 1 - (1 + x) e^-x = price, in units of its period.
  it('finds the gap of the closed form for Poisson laws', () => {
    const price = 6 * HOUR
    const { poissonGaps } = lawValues({ price, objective: 'freshness' })
    for (const [j, changeRate] of laws.changeRates.entries()) {
      if (changeRate * price > 0.8 || poissonGaps[j]! > 200 * DAY) continue
      const x = changeRate * poissonGaps[j]!
      expect(1 - (1 + x) * Math.exp(-x)).toBeGreaterThan(0.72 * changeRate * price)
      expect(1 - (1 + x) * Math.exp(-x)).toBeLessThan(1.4 * changeRate * price)
    }
  })

  // Least (r g^2 / 2 + price) / g, by hand: sqrt(2 price / r), on a grid of steps of 16%.
  it('finds the gap of the closed form for the delay of Poisson laws', () => {
    const price = 6 * HOUR
    const { poissonGaps, net } = lawValues({ price, objective: 'delay' })
    for (const [j, changeRate] of laws.changeRates.entries()) {
      const best = Math.sqrt((2 * price) / changeRate)
      expect(poissonGaps[j]! / best).toBeGreaterThan(0.92)
      expect(poissonGaps[j]! / best).toBeLessThan(1.08)
      expect(net[j]! / -Math.sqrt(2 * price * changeRate)).toBeCloseTo(1, 2)
    }
  })

  it.each(objectives)('asks for fewer visits as the price rises (%s)', (objective) => {
    const start = objective === 'changes-caught' ? 0.01 : 1e3
    const masses = new Float64Array(laws.size).fill(1)
    let before = Infinity
    for (let price = start; price < 50 * start; price *= 2) {
      const { visitRates } = lawValues({ price, objective })
      const visitRate = visitRates.reduce((sum, each, law) => sum + masses[law]! * each, 0)
      expect(visitRate).toBeGreaterThan(0)
      expect(visitRate).toBeLessThanOrEqual(before)
      before = visitRate
    }
  })

  it('gives up pages that are stale again at once', () => {
    const { net } = lawValues({ price: DAY, objective: 'freshness' })
    expect(net[laws.changeRates.length - 1]).toBe(0)
    expect(net[0]).toBeGreaterThan(0.5)
  })
})

describe('bestGap', () => {
  it('is near the best gap of a law that is certain', () => {
    const { poissonGaps } = lawValues({ price: 6 * HOUR, objective: 'freshness' })
    for (const changeRate of [4, 6, 8]) {
      const { gap } = choose(aPoissonPage(changeRate), { price: 6 * HOUR })
      expect(gap / poissonGaps[changeRate]!).toBeGreaterThan(0.8)
      expect(gap / poissonGaps[changeRate]!).toBeLessThan(1.25)
    }
  })

  // Candidates are whole hours, so pages that are visited every few hours at least.
  it('waits sqrt(2 price / r) where the objective is the delay of a Poisson page', () => {
    for (const price of [HOUR, 6 * HOUR, 40 * HOUR])
      for (const changeRate of [3, 6, 8, 10]) {
        const { gap, value } = choose(aPoissonPage(changeRate), { price, objective: 'delay' })
        const rate = laws.changeRates[changeRate]!
        const best = Math.sqrt((2 * price) / rate)
        expect(Math.abs(gap - best)).toBeLessThan(Math.max(0.05 * best, HOUR))
        // Left out, the changes of two gaps wait 3/2 r g^2 longer in all, and a gap's time is saved.
        const lost = 1.5 * rate * gap ** 2 - Math.sqrt(2 * price * rate) * gap
        expect(Math.abs(value - 1 - lost / price)).toBeLessThan(0.1)
      }
  })

  it('comes more often the oftener a page changes where delay counts, and gives up none', () => {
    const [slow, fast] = [6, 17].map(
      (changeRate) => choose(aPoissonPage(changeRate), { price: 6 * HOUR, objective: 'delay' }).gap,
    )
    expect(fast).toBeLessThan(slow! / 10)
    expect(choose(aPoissonPage(17), { price: 6 * HOUR }).gap).toBe(400 * DAY)
  })

  it('comes sooner on the signal of a change where delay counts', () => {
    const problem = { price: 6 * HOUR, objective: 'delay', clock: flatClock } as const
    const { gap } = choose(aPoissonPage(6), problem)
    const elapsed = 0.3 * gap
    const changeSignal = (weight: number) =>
      paysOnSignal(aPoissonPage(6), { at: 0, elapsed, weight, problem })
    expect(changeSignal(0.9)).toBe(true)
    expect(changeSignal(0.01)).toBe(false)
  })

  it('waits longer where a request costs more', () => {
    const gaps = [1, 4, 16].map((hours) => choose(aPoissonPage(6), { price: hours * HOUR }).gap)
    expect(gaps[0]).toBeLessThan(gaps[1]!)
    expect(gaps[1]).toBeLessThan(gaps[2]!)
  })

  it('comes after the hours in which the page changes, not amid them', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour >= 15 && hour < 18 ? 8 : 0))
    const clock = weekClock({ weekdays: new Array(7).fill(1), hours })
    const daily = laws.changeRates.findIndex((changeRate) => changeRate > 0.6 / DAY)
    for (const at of [0, 20 * HOUR, 45 * HOUR]) {
      const { gap } = choose(aPoissonPage(daily), { price: 4 * HOUR, clock, at })
      const hour = ((at + gap) % DAY) / HOUR
      expect(hour).toBeGreaterThanOrEqual(17)
      expect(hour).toBeLessThanOrEqual(22)
    }
    const { gain } = weekValues(clock, { price: 4 * HOUR, objective: 'freshness' })
    expect(gain[daily]).toBeGreaterThan(0.05)
  })

  it.each(objectives)('is finite for any certain law and price (%s)', (objective) => {
    for (let changeRate = 0; changeRate < laws.changeRates.length; changeRate++)
      for (const price of [1e-6, 1, 1e4, 1e8, 1e14]) {
        const { gap, chance, value } = choose(aPoissonPage(changeRate), { price, objective })
        expect(gap).toBeGreaterThan(0)
        expect(gap).toBeLessThanOrEqual(400 * DAY)
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(value)).toBe(true)
      }
  })
})
