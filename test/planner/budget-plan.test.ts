import { describe, expect, it } from 'vitest'
import type { PageView } from '../../src/model/policy.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock, weekClock } from '../../src/numeric/week-clock.js'
import { budgetPlan } from '../../src/planner/budget/budget-plan.js'
import {
  overTheWeek,
  priceForBudget,
  visitsAtPrice,
} from '../../src/planner/budget/price-for-budget.js'
import {
  freshShare,
  gapAtPrice,
  importanceStep,
  type PlanPage,
} from '../../src/planner/value/planned-page.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { limited } from '../../src/policies/limits.js'
import { aPoissonPage } from '../fixtures/a-posterior.js'

function page(law: number, more: Partial<PlanPage> = {}): PlanPage {
  const host = `h${law % 3}`
  const at = 1_700_000_000
  const posterior = aPoissonPage(law)
  return { host, importance: 1, at, posterior, clock: flatClock, limits: {}, ownGap: null, ...more }
}

const collection = Array.from({ length: 60 }, (_, i) => page(3 + (i % 9)))

describe('freshShare', () => {
  // By hand: a Poisson page with x changes expected in a gap is fresh (1 - e^-x) / x of it.
  it('is the closed form on the flat clock', () => {
    const law = 8
    const gap = 2 / laws.changeRates[law]!
    const share = freshShare(aPoissonPage(law), { at: 0, gap, clock: flatClock })
    expect(share).toBeCloseTo((1 - Math.exp(-2)) / 2, 12)
    expect(freshShare(aPoissonPage(law), { at: 0, gap: 0, clock: flatClock })).toBe(1)
  })

  it('is higher over slow hours than over busy ones', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 0.1 : 1.9))
    const clock = weekClock({ weekdays: Array(7).fill(1), hours })
    const about = { gap: 12 * HOUR, clock }
    const night = freshShare(aPoissonPage(7), { at: 0, ...about })
    const day = freshShare(aPoissonPage(7), { at: 12 * HOUR, ...about })
    expect(night).toBeGreaterThan(day)
  })
})

describe('budgetPlan', () => {
  it('meets the budget, and predicts more freshness for more requests', () => {
    const plan = budgetPlan(collection, { requestsPerDay: 40 })
    expect(Math.abs(plan.now.requestsPerDay / 40 - 1)).toBeLessThan(0.05)
    expect(Math.abs(plan.more.requestsPerDay / 48 - 1)).toBeLessThan(0.08)
    expect(plan.fewer.freshness).toBeLessThan(plan.now.freshness)
    expect(plan.now.freshness).toBeLessThan(plan.more.freshness)
    expect(plan.hosts.map(({ pages }) => pages)).toEqual([20, 20, 20])
  })

  it('scales a sample to the whole', () => {
    const all = budgetPlan(collection, { requestsPerDay: 40 })
    const sample = budgetPlan(collection, { requestsPerDay: 4000, of: 6000 })
    expect(sample.now.perPage).toBeCloseTo(all.now.perPage, 10)
    expect(sample.now.freshness).toBeCloseTo(all.now.freshness, 10)
    expect(sample.hosts[0]!.pages).toBe(2000)
  })

  it('leaves the gaps of pages on policies of their own, and keeps limits', () => {
    const own = collection.map((each) => ({ ...each, ownGap: DAY }))
    const plan = budgetPlan(own, { requestsPerDay: 5 })
    expect(plan.now.requestsPerDay).toBeCloseTo(60, 9)
    const limits = { minGap: 3 * DAY, maxGap: 5 * DAY }
    for (const price of [10, 1e4, 1e7]) {
      const gap = gapAtPrice(page(9, { limits }), { price, objective: 'freshness' })
      expect(gap).toBeGreaterThanOrEqual(3 * DAY)
      expect(gap).toBeLessThanOrEqual(5 * DAY)
    }
  })

  it('refuses what is no budget, and no pages', () => {
    expect(() => budgetPlan(collection, { requestsPerDay: 0 })).toThrow(/above 0/)
    expect(() => budgetPlan([], { requestsPerDay: 1 })).toThrow(/nothing to plan/)
  })
})

describe('priceForBudget', () => {
  it.each([2, 20, 200])('finds the price for %d visits a day', (visitsPerDay) => {
    const price = priceForBudget(collection, { visitsPerDay, objective: 'freshness' })
    const asked = visitsAtPrice(collection, { price, objective: 'freshness' })
    expect(Math.abs(asked / visitsPerDay - 1)).toBeLessThan(0.1)
  })

  it('gives important pages more visits at one price', () => {
    const at = { price: 6 * HOUR, objective: 'freshness' } as const
    expect(gapAtPrice(page(7, { importance: 4 }), at)).toBeLessThan(gapAtPrice(page(7), at))
    expect(importanceStep(1)).toBe(1)
    expect(importanceStep(2)).toBeCloseTo(2, 1)
    expect(importanceStep(0)).toBeGreaterThan(0)
  })

  it('spreads pages over the hours of a week', () => {
    const days = overTheWeek(collection).map(({ at }, i) =>
      Math.floor((at - collection[i]!.at) / DAY),
    )
    for (let day = 0; day < 7; day++)
      expect(days.filter((each) => each === day).length).toBeGreaterThan(6)
  })
})

describe('limited', () => {
  const view: PageView = {
    at: 0,
    visits: 1,
    changes: 0,
    gap: 0,
    changed: false,
    contentAge: Number.NaN,
    plannedGap: 0,
    changePeriod: 0,
    declared: null,
    random: new Random(1),
  }

  it('keeps gaps within limits, and says so', () => {
    const policy = limited(fixed({ gap: 7 * DAY }), { minGap: HOUR, maxGap: 2 * DAY })
    expect(policy.nextGap(view)).toBe(2 * DAY)
    expect(policy.reason(view, 2 * DAY)).toMatch(/no later than allowed$/)
    expect(limited(fixed({ gap: 60 }), { minGap: HOUR }).nextGap(view)).toBe(HOUR)
  })
})
