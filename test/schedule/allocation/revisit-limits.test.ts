import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../../src/numeric/index.js'
import {
  marginalGain,
  optimalFreshness,
  optimalFreshnessWithin,
} from '../../../src/schedule/allocation/index.js'
import { collections, type FullColumns } from '../../contracts/allocation.js'

interface Limits {
  shortestPeriod: Float64Array
  longestPeriod: Float64Array
}

/** The optimality conditions with a multiplier for each limit that binds. */
function expectOptimal(
  pages: FullColumns,
  limits: Limits,
  { visitRates, multiplier }: { visitRates: Float64Array; multiplier: number | null },
): void {
  visitRates.forEach((r, i) => {
    const [w, D] = [pages.weights[i]!, pages.changeRates[i]!]
    const [least, most] = [1 / limits.longestPeriod[i]!, 1 / limits.shortestPeriod[i]!]
    expect(r).toBeGreaterThanOrEqual(least * (1 - 1e-12))
    expect(r).toBeLessThanOrEqual(most * (1 + 1e-12))
    if (w === 0 || D === 0) {
      expect(r).toBe(least)
      return
    }
    const value = (w / D) * marginalGain(D / r)
    const price = multiplier! * pages.costs[i]!
    if (r > least * (1 + 1e-12)) expect(value).toBeGreaterThanOrEqual(price * (1 - 1e-9))
    if (r < most * (1 - 1e-12)) expect(value).toBeLessThanOrEqual(price * (1 + 1e-9))
  })
}

describe('optimal freshness within revisit limits', () => {
  it('meets the optimality conditions to 1e-9 and spends the budget', () => {
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(collections, share, fc.integer(), (pages, part, seed) => {
        const random = new Random(seed)
        const shortestPeriod = pages.changeRates.map(() => 10 ** (3 * random.uniform() - 2))
        const longestPeriod = shortestPeriod.map((each) => each * 10 ** (3 * random.uniform()))
        const total = (periods: Float64Array, calm: Float64Array) =>
          pages.costs.reduce((sum, cost, i) => {
            const idle = pages.changeRates[i] === 0 || pages.weights[i] === 0
            return sum + cost / (idle ? calm[i]! : periods[i]!)
          }, 0)
        const least = total(longestPeriod, longestPeriod)
        const most = total(shortestPeriod, longestPeriod)
        const budget = least + part * (most - least)
        const limits = { shortestPeriod, longestPeriod }
        const result = optimalFreshnessWithin(limits).allocate(pages, { budget })
        expect(Math.abs(result.spent / budget - 1)).toBeLessThan(1e-9)
        if (most > least) expectOptimal(pages, limits, result)
      }),
      { seed: 431, numRuns: 500 },
    )
  })

  it('is the free optimum where no limit binds', () => {
    const pages = { changeRates: Float64Array.of(0.1, 1, 3, 20) }
    const free = optimalFreshness.allocate(pages, { budget: 4 })
    const wide = optimalFreshnessWithin({ shortestPeriod: 1e-3 }).allocate(pages, { budget: 4 })
    free.visitRates.forEach((each, i) => {
      expect(wide.visitRates[i]).toBeCloseTo(each, 12)
    })
  })

  // By hand: the page given up (D = 100) must have 1/10; the two alike share the other 1.9.
  it('visits a page that it would give up as seldom as it may', () => {
    const pages = { changeRates: Float64Array.of(1, 100, 1) }
    const { visitRates } = optimalFreshnessWithin({ longestPeriod: 10 }).allocate(pages, {
      budget: 2,
    })
    expect(visitRates[0]).toBeCloseTo(0.95, 12)
    expect(visitRates[1]).toBe(0.1)
    expect(visitRates[2]).toBeCloseTo(0.95, 12)
  })

  it('leaves unspent what no page may use', () => {
    const pages = { changeRates: Float64Array.of(1, 2, 0) }
    const limited = optimalFreshnessWithin({ shortestPeriod: 0.5, longestPeriod: 4 })
    const rich = limited.allocate(pages, { budget: 1000 })
    expect([...rich.visitRates]).toEqual([2, 2, 0.25])
    expect(rich).toMatchObject({ spent: 4.25, multiplier: 0 })
  })

  // By hand: two pages at 1/4 each need 0.5; the first to get more is the one with D = 1.
  it('takes a budget that just meets the longest periods, and refuses less', () => {
    const pages = { changeRates: Float64Array.of(1, 2) }
    const limited = optimalFreshnessWithin({ longestPeriod: 4 })
    const least = limited.allocate(pages, { budget: 0.5 })
    expect([...least.visitRates]).toEqual([0.25, 0.25])
    expect(least.multiplier).toBe(marginalGain(4))
    expect(() => limited.allocate(pages, { budget: 0.4 })).toThrow(/budget of 0.5; got 0.4/)
  })

  it('moves to its limits at a price too', () => {
    const pages = { changeRates: Float64Array.of(0.5, 0.5, 50) }
    const limited = optimalFreshnessWithin({
      shortestPeriod: Float64Array.of(0, 3, 0),
      longestPeriod: Float64Array.of(Infinity, Infinity, 7),
    })
    const free = optimalFreshness.allocate(pages, { price: 0.2 }).visitRates
    const { visitRates } = limited.allocate(pages, { price: 0.2 })
    expect([...visitRates]).toEqual([free[0], 1 / 3, 1 / 7])
  })

  it('refuses limits that cannot be', () => {
    const pages = { changeRates: Float64Array.of(1, 2) }
    const within = (limits: Parameters<typeof optimalFreshnessWithin>[0]) => () =>
      optimalFreshnessWithin(limits).allocate(pages, { budget: 1 })
    expect(within({ shortestPeriod: -1 })).toThrow(/shortestPeriod must be a duration/)
    expect(within({ longestPeriod: 0 })).toThrow(/longestPeriod must be a positive duration/)
    expect(within({ longestPeriod: Float64Array.of(1, Number.NaN) })).toThrow(/longestPeriod\[1\]/)
    expect(within({ shortestPeriod: 3, longestPeriod: 2 })).toThrow(/is 3, above longestPeriod, 2/)
    expect(within({ shortestPeriod: new Float64Array(3) })).toThrow(/each of the 2 pages/)
  })
})
