import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock, weekClock } from '../../src/numeric/week-clock.js'
import { budgetPlan } from '../../src/planner/budget/budget-plan.js'
import {
  freshAtGap,
  freshShare,
  type PlanPage,
  signalCycle,
  timeBetween,
} from '../../src/planner/value/planned-page.js'
import { aPoissonPage, aPosterior } from '../fixtures/a-posterior.js'

const changeRate = (law: number) => laws.changeRates[law]!

describe('signalCycle', () => {
  // By hand: fresh for 1 / rate on the mean, then stale for the delay; cut at the end of the gap.
  it.each([0.1, 1, 30])(
    'is 1 / (1 + rate x delay) for a Poisson page, gap %d periods',
    (periods) => {
      const gap = periods / changeRate(9)
      const delay = 0.2 / changeRate(9)
      const cycle = signalCycle(aPoissonPage(9), { at: 0, gap, clock: flatClock, delay })
      expect(cycle.fresh).toBeCloseTo(1 / 1.2, 12)
      expect(cycle.length).toBeCloseTo((1 - Math.exp(-periods)) * (1 / changeRate(9) + delay), 6)
    },
  )

  it('is the mean over laws that are thought possible', () => {
    const about = { at: 0, gap: 400 * DAY, clock: flatClock, delay: 6 * HOUR }
    const share = (law: number) => 1 / (1 + changeRate(law) * about.delay)
    const { fresh } = signalCycle(
      aPosterior([
        [7, 0.5],
        [11, 0.5],
      ]),
      about,
    )
    expect(fresh).toBeCloseTo((share(7) + share(11)) / 2, 9)
  })

  it('agrees with visits sampled at random, on two rates and a clock of the week', () => {
    const law = laws.fast.findIndex((fast, i) => i >= laws.changeRates.length && fast === 11)
    const hours = Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 0.2 : 1.8))
    const clock = weekClock({ weekdays: Array(7).fill(1), hours })
    const about = { at: 3 * HOUR, gap: 4 * DAY, clock, delay: 5 * HOUR }
    const random = new Random(4)
    const speed = (at: number) => (at % DAY < 12 * HOUR ? 0.2 : 1.8)
    let [fresh, time] = [0, 0]
    for (let i = 0; i < 20_000; i++) {
      let left =
        random.exponential() /
        changeRate(random.uniform() < 0.4 ? laws.fast[law]! : laws.slow[law]!)
      let at = about.at
      // To the end of each half of the day, which the clock goes through evenly.
      while (at < about.at + about.gap) {
        const end = Math.min(about.at + about.gap, at + 12 * HOUR - (at % (12 * HOUR)))
        const passed = (end - at) * speed(at)
        if (passed > left) break
        left -= passed
        at = end
      }
      const changed = at < about.at + about.gap
      const until = changed ? at + left / speed(at) : at
      fresh += until - about.at
      time += until - about.at + (changed ? about.delay : 0)
    }
    const cycle = signalCycle(aPosterior([[law, 0.4, 0.6]]), about)
    // 20,000 cycles: a standard error of about 0.3%.
    expect(Math.abs(cycle.fresh - fresh / time)).toBeLessThan(0.01)
    expect(Math.abs(cycle.length / (time / 20_000) - 1)).toBeLessThan(0.02)
  })
})

describe('a page that a list tells of', () => {
  const listed = { weight: 0.9, reliability: 0.95, delay: 3 * HOUR }
  const page: PlanPage = {
    ...{ host: 'h', importance: 1, at: 1_700_000_000, clock: flatClock, limits: {}, ownGap: null },
    ...{ posterior: aPoissonPage(9), listed },
  }

  it('is visited when it changed, as far as the list is reliable', () => {
    const gap = 5 / changeRate(9)
    const reported = 1 / changeRate(9) + listed.delay
    const called = (1 - Math.exp(-5)) * reported
    expect(timeBetween(page, gap) / (0.05 * gap + 0.95 * called)).toBeCloseTo(1, 9)
    expect(timeBetween({ ...page, listed: null }, gap)).toBe(gap)
    expect(timeBetween(page, 90 * DAY)).toBe(90 * DAY)
  })

  it('is as fresh as the delay leaves it, and no less than without', () => {
    const gap = 5 / changeRate(9)
    const plain = freshShare(page.posterior, { at: 0, gap, clock: flatClock })
    const reported = 1 / (1 + changeRate(9) * listed.delay)
    expect(freshAtGap(page, gap)).toBeCloseTo(0.05 * plain + 0.95 * reported, 9)
    const late = { ...page, listed: { ...listed, delay: 1000 * DAY } }
    expect(freshAtGap(late, gap)).toBeCloseTo(plain, 9)
  })

  it('leaves out of the freshness predicted what is worth nothing: lists themselves', () => {
    const list = { ...page, listed: null, importance: 0, ownGap: HOUR }
    const { now } = budgetPlan([page, list], { requestsPerDay: 40 })
    const { now: alone } = budgetPlan([page], { requestsPerDay: now.requestsPerDay - 24 })
    expect(now.freshness).toBeCloseTo(alone.freshness, 1)
  })
})
