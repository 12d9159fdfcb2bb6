import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { budgetPlan } from '../../src/planner/budget/budget-plan.js'
import {
  pricesBeside,
  pricesForBudget,
  visitsAtPrice,
  visitsAtPrices,
} from '../../src/planner/budget/price-for-budget.js'
import {
  type Objective,
  objectiveNamed,
  objectives,
  usualPrices,
} from '../../src/planner/value/objective.js'
import type { PlanPage } from '../../src/planner/value/planned-page.js'
import { aPoissonPage } from '../fixtures/a-posterior.js'

/** A page that follows one Poisson law for certain. */
function page(changeRate: number, about: Partial<PlanPage> = {}): PlanPage {
  const posterior = aPoissonPage(changeRate)
  const free = { limits: {}, ownGap: null }
  return { host: 'h', importance: 1, at: 0, posterior, clock: flatClock, ...free, ...about }
}

/** Thirty pages of unlike rates with an objective. */
const some = (objective: Objective, shift = 0): PlanPage[] =>
  Array.from({ length: 30 }, (_, i) => page(2 + shift + (i % 8), { objective }))

describe('pricesForBudget', () => {
  it('finds a price for each objective at which all pages ask for the budget together', () => {
    const pages = [...some('freshness'), ...some('delay', 4), ...some('changes-caught', 2)]
    const prices = pricesForBudget(pages, { perPage: 0.3 })
    expect(Object.keys(prices).sort()).toEqual([...objectives].sort())
    expect(Math.abs(visitsAtPrices(pages, prices) / (0.3 * 90) - 1)).toBeLessThan(0.05)
  })

  it('leaves pages what they had when others take another objective', () => {
    const before = pricesForBudget([...some('freshness'), ...some('freshness', 6)], {
      perPage: 0.3,
    })
    const pages = [...some('freshness'), ...some('delay', 6)]
    const prices = pricesForBudget(pages, { perPage: 0.3 })
    const kept = visitsAtPrice(some('freshness'), {
      price: prices.freshness!,
      objective: 'freshness',
    })
    expect(Math.abs(kept / (0.3 * 30) - 1)).toBeLessThan(0.05)
    expect(before.delay).toBeUndefined()
  })

  // For Poisson pages at small prices visits go by the square root of importance, whatever the objective.
  it('gives an important page more, also where it alone has an objective', () => {
    const alone = page(8, { objective: 'delay', importance: 16 })
    const prices = pricesForBudget([...some('freshness'), alone], { perPage: 0.3 })
    const visits = visitsAtPrice([alone], { price: prices.delay!, objective: 'delay' })
    expect(visits / (0.3 * 4 * (31 / 34))).toBeGreaterThan(0.95)
    expect(visits / (0.3 * 4 * (31 / 34))).toBeLessThan(1.05)
  })

  // sqrt(2 price / r) is the gap of a Poisson page: so its price for one visit in 100 days is r (100 days)^2 / 2.
  it('reaches prices of delay far beyond those of freshness', () => {
    const fast = page(17, { objective: 'delay', limits: { maxGap: 400 * DAY } })
    const { delay } = pricesForBudget([fast], { perPage: 0.01 })
    const exact = (laws.changeRates[17]! * (100 * DAY) ** 2) / 2
    expect(delay! / exact).toBeGreaterThan(0.9)
    expect(delay! / exact).toBeLessThan(1.1)
  })
})

describe('pricesBeside', () => {
  it('gives other objectives as many visits a page as freshness has at its price', () => {
    const pages = [...some('freshness'), ...some('delay', 5)]
    const { freshness, delay } = pricesBeside(pages, 6 * HOUR)
    expect(freshness).toBe(6 * HOUR)
    const fresh = visitsAtPrice(some('freshness'), { price: 6 * HOUR, objective: 'freshness' })
    const seen = visitsAtPrice(some('delay', 5), { price: delay!, objective: 'delay' })
    expect(Math.abs(seen / fresh - 1)).toBeLessThan(0.05)
  })

  it('takes freshness as it would be where no page has it, so that a plan meets its budget', () => {
    const plan = budgetPlan(some('delay'), { requestsPerDay: 12 })
    expect(Math.abs(plan.now.requestsPerDay / 12 - 1)).toBeLessThan(0.1)
    // Freshness is what the plan is for: spent on delay, the same requests bring less of it.
    const best = budgetPlan(some('freshness'), { requestsPerDay: 12 })
    expect(plan.now.freshness).toBeLessThanOrEqual(best.now.freshness + 0.01)
  })
})

describe('objectiveNamed', () => {
  it('knows those there are, and refuses others by name', () => {
    for (const name of objectives) expect(usualPrices[objectiveNamed(name)]).toBeGreaterThan(0)
    expect(() => objectiveNamed('speed')).toThrow(
      'there is no objective "speed"; there are: freshness, delay, changes-caught',
    )
  })
})
