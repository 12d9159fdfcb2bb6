import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../../src/model/errors.js'
import { Random } from '../../src/numeric/random.js'
import type { Allocation, Means, PageColumns } from '../../src/policies/allocation/allocation.js'

/** All columns present. */
export interface FullColumns extends PageColumns {
  readonly weights: Float64Array
  readonly costs: Float64Array
}

/** Change rates and weights from 0 and tiny to huge, ties among them; costs too, or none. */
export const collections: fc.Arbitrary<FullColumns> = fc
  .array(
    fc.record({
      changeRate: fc.oneof(
        powers({ min: -12, max: 6 }),
        powers({ min: -1, max: 1 }),
        fc.constantFrom(0, 1, 2),
      ),
      weight: fc.oneof(powers({ min: -3, max: 3 }), fc.constantFrom(0, 1)),
      cost: fc.oneof(powers({ min: -2, max: 2 }), fc.constant(1)),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((pages) => ({
    changeRates: Float64Array.from(pages, (page) => page.changeRate),
    weights: Float64Array.from(pages, (page) => page.weight),
    costs: Float64Array.from(pages, (page) => page.cost),
  }))

/** Budgets from next to nothing to far more than every page can use. */
export const budgets = fc.oneof(powers({ min: -12, max: 9 }), powers({ min: -1, max: 2 }))

function powers(range: { min: number; max: number }): fc.Arbitrary<number> {
  return fc.double({ ...range, noNaN: true }).map((power) => 10 ** power)
}

export function wants({ changeRates, weights }: PageColumns): boolean {
  return changeRates.some((changeRate, i) => changeRate > 0 && (weights?.[i] ?? 1) > 0)
}

/** Holds for every allocation, whatever its objective. */
export function describeAllocation(allocation: Allocation): void {
  const allocate = (pages: PageColumns, means: Means) => allocation.allocate(pages, means)

  describe(`allocation ${allocation.name}`, () => {
    it('has a name and a summary', () => {
      expect(allocation.name).toMatch(/^[a-z][a-z-]*$/)
      expect(allocation.summary.length).toBeGreaterThan(20)
    })

    it('spends the budget to 1e-9, in finite rates that are not negative', () => {
      fc.assert(
        fc.property(collections, budgets, (pages, budget) => {
          const { visitRates, spent, freshness, multiplier } = allocate(pages, { budget })
          const total = visitRates.reduce((sum, each, i) => sum + each * pages.costs[i]!, 0)
          for (const each of visitRates) expect(each >= 0 && each < Infinity).toBe(true)
          expect(Math.abs(spent - total)).toBeLessThanOrEqual(1e-12 * total)
          if (total > 0 || wants(pages)) expect(Math.abs(total / budget - 1)).toBeLessThan(1e-9)
          expect(freshness).toBeGreaterThanOrEqual(0)
          expect(freshness).toBeLessThanOrEqual(1 + 1e-12)
          expect(multiplier! >= 0 && multiplier! < Infinity).toBe(true)
        }),
        { seed: 401, numRuns: 300 },
      )
    })

    it('stays finite and spends the budget at the ends of what it accepts', () => {
      const column = (length: number) =>
        fc.array(powers({ min: -49.9, max: 49.9 }), { minLength: length, maxLength: length })
      const pages = fc
        .integer({ min: 1, max: 6 })
        .chain((length) => fc.tuple(column(length), column(length), column(length)))
      fc.assert(
        fc.property(pages, powers({ min: -49.9, max: 49.9 }), ([D, w, c], means) => {
          const columns = {
            changeRates: Float64Array.from(D),
            weights: Float64Array.from(w),
            costs: Float64Array.from(c),
          }
          const { visitRates, spent } = allocate(columns, { budget: means })
          for (const each of visitRates) expect(each >= 0 && each < Infinity).toBe(true)
          expect(Math.abs(spent / means - 1)).toBeLessThan(1e-9)
          const priced = allocate(columns, { price: means })
          for (const each of priced.visitRates) expect(each >= 0 && each < Infinity).toBe(true)
          expect(priced.spent < Infinity && priced.freshness <= 1 + 1e-12).toBe(true)
        }),
        { seed: 405, numRuns: 300 },
      )
    })

    it('gives every page no less of a larger budget, and more freshness', () => {
      fc.assert(
        fc.property(collections, budgets, (pages, budget) => {
          const less = allocate(pages, { budget })
          const more = allocate(pages, { budget: budget * 1.5 })
          more.visitRates.forEach((each, i) => {
            expect(each).toBeGreaterThanOrEqual(less.visitRates[i]! * (1 - 1e-9))
          })
          expect(more.freshness).toBeGreaterThanOrEqual(less.freshness * (1 - 1e-12))
          expect(more.multiplier).toBeLessThanOrEqual(less.multiplier! * (1 + 1e-9))
        }),
        { seed: 402, numRuns: 200 },
      )
    })

    it('does not depend on the unit of time', () => {
      const unit = 86_400
      fc.assert(
        fc.property(collections, budgets, (pages, budget) => {
          const daily = allocate(pages, { budget })
          const changeRates = pages.changeRates.map((each) => each / unit)
          const secondly = allocate({ ...pages, changeRates }, { budget: budget / unit })
          secondly.visitRates.forEach((each, i) => {
            expectNear(each * unit, daily.visitRates[i]!, { budget })
          })
          expect(secondly.freshness).toBeCloseTo(daily.freshness, 9)
          expectNear(secondly.multiplier! / unit, daily.multiplier!, { budget: 0 })
        }),
        { seed: 403, numRuns: 200 },
      )
    })

    it('does not depend on the order of the pages', () => {
      const random = new Random(404)
      fc.assert(
        fc.property(collections, budgets, (pages, budget) => {
          const order = [...pages.changeRates.keys()].sort(() => random.uniform() - 0.5)
          const shuffle = (column: Float64Array) => Float64Array.from(order, (i) => column[i]!)
          const there = allocate(pages, { budget })
          const shuffled = allocate(
            {
              changeRates: shuffle(pages.changeRates),
              weights: shuffle(pages.weights),
              costs: shuffle(pages.costs),
            },
            { budget },
          )
          order.forEach((i, at) => {
            expectNear(shuffled.visitRates[at]!, there.visitRates[i]!, { budget })
          })
        }),
        { seed: 404, numRuns: 200 },
      )
    })

    it('gives pages alike the same rate', () => {
      const pages = { changeRates: Float64Array.of(2, 0.5, 2, 0.5, 2) }
      for (const budget of [1e-9, 0.1, 1, 30]) {
        const { visitRates } = allocate(pages, { budget })
        expect(visitRates[2]).toBe(visitRates[0])
        expect(visitRates[4]).toBe(visitRates[0])
        expect(visitRates[3]).toBe(visitRates[1])
      }
    })

    it('spends the same at the price that a budget has', () => {
      const pages = {
        changeRates: Float64Array.of(0, 0.01, 0.3, 1, 2, 7),
        weights: Float64Array.of(1, 2, 1, 0.5, 3, 1),
        costs: Float64Array.of(1, 1, 2, 1, 0.5, 1),
      }
      for (const budget of [0.7, 5, 200]) {
        const first = allocate(pages, { budget })
        const again = allocate(pages, { price: first.multiplier! })
        expect(again.spent / budget).toBeCloseTo(1, 8)
        expect(again.freshness).toBeCloseTo(first.freshness, 9)
        expect(again.multiplier).toBe(first.multiplier)
      }
    })

    it('treats absent weights and costs as ones', () => {
      const changeRates = Float64Array.of(0.2, 1, 6)
      const ones = new Float64Array(3).fill(1)
      expect(allocate({ changeRates }, { budget: 2 })).toEqual(
        allocate({ changeRates, weights: ones, costs: ones }, { budget: 2 }),
      )
    })

    it('handles no page, pages that never change, and a budget of 0', () => {
      const none = allocate({ changeRates: new Float64Array(0) }, { budget: 5 })
      expect(none).toMatchObject({ spent: 0, multiplier: 0, freshness: 1 })
      const still = allocate({ changeRates: new Float64Array(4) }, { budget: 5 })
      expect(still).toMatchObject({ multiplier: 0, freshness: 1 })
      expect(still.visitRates.every((each) => each >= 0 && each < 2)).toBe(true)
      const poor = allocate({ changeRates: Float64Array.of(1, 4, 0) }, { budget: 0 })
      expect([...poor.visitRates]).toEqual([0, 0, 0])
      expect(poor.spent).toBe(0)
      expect(poor.freshness).toBeCloseTo(1 / 3, 15)
      expect(Number.isNaN(poor.multiplier)).toBe(false)
    })

    it('gives a single page that changes the whole budget', () => {
      for (const changeRate of [1e-12, 1e-3, 1, 1e6]) {
        for (const budget of [1e-20, 1e-3, 1, 1e9]) {
          const { visitRates } = allocate({ changeRates: Float64Array.of(changeRate) }, { budget })
          expect(Math.abs(visitRates[0]! / budget - 1)).toBeLessThan(1e-9)
        }
      }
    })

    it('writes into the array it is given', () => {
      const into = new Float64Array(3).fill(9)
      const pages = { changeRates: Float64Array.of(1, 0, 3) }
      const given = allocation.allocate(pages, { budget: 2 }, { into })
      expect(given.visitRates).toBe(into)
      expect(into).toEqual(allocate(pages, { budget: 2 }).visitRates)
      expect([...pages.changeRates]).toEqual([1, 0, 3])
    })

    it('refuses what cannot be, and says which', () => {
      const changeRates = Float64Array.of(1, 2)
      const refused = (pages: PageColumns, means: unknown, into?: Float64Array) => {
        try {
          allocation.allocate(pages, means as Means, { into })
        } catch (error) {
          expect(error).toBeInstanceOf(OptionError)
          return `${(error as OptionError).code}: ${(error as OptionError).message}`
        }
        return 'accepted'
      }
      const budget = 1
      for (const bad of [-1, Number.NaN, Infinity, 1e-60]) {
        const column = Float64Array.of(1, bad)
        expect(refused({ changeRates: column }, { budget })).toMatch(/^bad-change-rate.*Rates\[1\]/)
        expect(refused({ changeRates, weights: column }, { budget })).toMatch(/^bad-weight.*\[1\]/)
        expect(refused({ changeRates, costs: column }, { budget })).toMatch(/^bad-cost.*\[1\]/)
        expect(refused({ changeRates }, { budget: bad })).toMatch(/^bad-budget/)
        expect(refused({ changeRates }, { price: bad })).toMatch(/^bad-price/)
      }
      expect(refused({ changeRates, costs: Float64Array.of(0, 1) }, { budget })).toMatch(
        /^bad-cost/,
      )
      expect(refused({ changeRates }, { price: 0 })).toMatch(/^bad-price/)
      expect(refused({ changeRates }, {})).toMatch(/^bad-means/)
      expect(refused({ changeRates }, { budget, price: 1 })).toMatch(/^bad-means/)
      const three = new Float64Array(3)
      expect(refused({ changeRates, weights: three }, { budget })).toMatch(/^unequal-columns/)
      expect(refused({ changeRates }, { budget }, three)).toMatch(/^unequal-columns/)
      expect(refused({ changeRates }, { budget }, changeRates)).toMatch(/^bad-target/)
    })
  })
}

/** Equal to 1e-8, or to 1e-10 of the budget where a rate is a small part of it. */
function expectNear(actual: number, expected: number, { budget }: { budget: number }): void {
  const allowed = 1e-8 * Math.abs(expected) + 1e-10 * budget
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(allowed)
}
