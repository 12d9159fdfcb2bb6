import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { Random } from '../../../src/numeric/random.js'
import type { Allocation, PageColumns } from '../../../src/policies/allocation/allocation.js'
import { azar, harmonic } from '../../../src/policies/allocation/closed-form.js'
import { marginalGain, predictedFreshness } from '../../../src/policies/allocation/freshness.js'
import { optimalFreshness } from '../../../src/policies/allocation/optimal-freshness.js'
import { proportional } from '../../../src/policies/allocation/proportional.js'
import { budgets, collections, wants } from '../../contracts/allocation.js'
import { equal } from '../../fixtures/equal-allocation.js'

const oracles = inject('oracles')

/** d objective / d visitRate of one page, in closed form. */
type Derivative = (page: { w: number; D: number; r: number }) => number

const methods: [Allocation, Derivative][] = [
  [optimalFreshness, ({ w, D, r }) => (w / D) * marginalGain(D / r)],
  [azar, ({ w, D, r }) => (w * D) / (r + D) ** 2],
  [harmonic, ({ w, D, r }) => (w * D) / (r * (r + D))],
]

describe.each(methods)('$name', (method, derivative) => {
  /** One check at the end: a check a page would take seconds on large collections. */
  function expectOptimal(pages: PageColumns, budget: number) {
    const { visitRates, multiplier, spent } = method.allocate(pages, { budget })
    let worst = Math.abs(spent / budget - 1)
    visitRates.forEach((r, i) => {
      const [w, D, cost] = [pages.weights?.[i] ?? 1, pages.changeRates[i]!, pages.costs?.[i] ?? 1]
      const excess = w === 0 || D === 0 ? r : derivative({ w, D, r }) / (multiplier! * cost) - 1
      worst = Math.max(worst, r > 0 ? Math.abs(excess) : excess)
    })
    expect(worst).toBeLessThan(1e-9)
  }

  it('meets the optimality conditions to 1e-9 on any pages', () => {
    fc.assert(
      fc.property(collections, budgets, (pages, budget) => {
        if (wants(pages)) expectOptimal(pages, budget)
      }),
      { seed: 411, numRuns: 500 },
    )
  })

  it('meets them on 100,000 pages, where the price is first sought for merged pages', () => {
    const random = new Random(412)
    const draw = (spread: number) =>
      Float64Array.from({ length: 100_000 }, () => Math.exp(spread * random.normal()))
    const pages = { changeRates: draw(2), weights: draw(1), costs: draw(0.5) }
    for (const budget of [20, 2e4, 1e6]) expectOptimal(pages, budget)
  })

  // Every page is on the verge of being given up, or all are alike but one.
  it.each([1e-3, 1, 1e5])('shares %d equally among 70,000 pages alike', (budget) => {
    const changeRates = new Float64Array(70_000).fill(2)
    const { spent, visitRates } = method.allocate({ changeRates }, { budget })
    expect(Math.abs(spent / budget - 1)).toBeLessThan(1e-11)
    expect(visitRates.every((each) => each === visitRates[0])).toBe(true)
    changeRates[5] = 0.01
    expectOptimal({ changeRates }, budget)
  })

  it('predicts the freshness of the rates it gives', () => {
    fc.assert(
      fc.property(collections, budgets, (pages, budget) => {
        const { visitRates, freshness } = method.allocate(pages, { budget })
        const again = predictedFreshness(pages, { visitRates, visits: method.visits })
        expect(freshness).toBeCloseTo(again, 11)
      }),
      { seed: 413 },
    )
  })
})

describe('allocations by numbers', () => {
  it.skipIf(oracles === null)('the vectors (shared oracles; skipped where absent)', () => {
    for (const { D, w, B, chogm, lam, F, azar: a, harmonic: h } of oracles.allocation) {
      const pages = { changeRates: Float64Array.from(D), weights: Float64Array.from(w) }
      const best = optimalFreshness.allocate(pages, { budget: B })
      expectAll(best.visitRates, chogm)
      expect(best.multiplier! / lam).toBeCloseTo(1, 11)
      expect(best.freshness).toBeCloseTo(F, 12)
      expectAll(azar.allocate(pages, { budget: B }).visitRates, a)
      expectAll(harmonic.allocate(pages, { budget: B }).visitRates, h)
    }
  })

  // SciPy 1.17: gammaincinv(2, price * cost * D / w) inside brentq on the price.
  it('weights and costs', () => {
    const pages = {
      changeRates: Float64Array.of(0.02, 0.3, 1, 4, 0.7),
      weights: Float64Array.of(1, 2, 0.5, 6, 3),
      costs: Float64Array.of(1, 1, 2, 0.5, 3),
    }
    const { visitRates, multiplier, freshness } = optimalFreshness.allocate(pages, { budget: 3 })
    expectAll(
      visitRates,
      [0.09180650930267786, 0.4315697609795378, 0, 3.2944883079089893, 0.27645985858776306],
    )
    expect(multiplier).toBeCloseTo(1.0274416260478105, 12)
    expect(freshness).toBeCloseTo(0.5523884629327582, 12)
  })

  // Cho & Garcia-Molina: proportional never beats equal visits, and neither the optimum.
  it('rank as the paper proves, for pages of one weight', () => {
    fc.assert(
      fc.property(collections, budgets, ({ changeRates }, budget) => {
        const reached = (method: Allocation) =>
          predictedFreshness(
            { changeRates },
            { visitRates: method.allocate({ changeRates }, { budget }).visitRates, visits: 'even' },
          )
        const best = reached(optimalFreshness) + 1e-9
        for (const method of [azar, harmonic, equal]) {
          expect(reached(method)).toBeLessThanOrEqual(best)
        }
        if (changeRates.every((each) => each > 0)) {
          expect(reached(proportional)).toBeLessThanOrEqual(reached(equal) + 1e-9)
        }
      }),
      { seed: 414 },
    )
  })

  // By hand: 6 visits over costs 1 + 2; and k = 6 / (1*1 + 2*4).
  it('equal and proportional, costs among them', () => {
    const pages = { changeRates: Float64Array.of(1, 4), costs: Float64Array.of(1, 2) }
    expect([...equal.allocate(pages, { budget: 6 }).visitRates]).toEqual([2, 2])
    expectAll(proportional.allocate(pages, { budget: 6 }).visitRates, [2 / 3, 8 / 3])
  })

  it('the multiplier is what a little more budget adds to freshness', () => {
    const pages = {
      changeRates: Float64Array.of(0.1, 0.5, 2, 9),
      weights: Float64Array.of(1, 3, 2, 1),
    }
    for (const method of [optimalFreshness, azar, equal, proportional]) {
      const at = (budget: number) => method.allocate(pages, { budget })
      const slope = ((at(3.001).freshness - at(2.999).freshness) / 0.002) * 7
      expect(slope / at(3).multiplier!).toBeCloseTo(1, 5)
    }
  })
})

function expectAll(actual: Float64Array, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length)
  expected.forEach((each, i) => {
    expect(Math.abs(actual[i]! - each)).toBeLessThanOrEqual(1e-11 * Math.max(1, each))
  })
}
