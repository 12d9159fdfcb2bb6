import { describe, expect, it } from 'vitest'
import { censoringBias } from '../../papers/grimes-ford/censoring-bias.js'
import { fewer, statedCollection } from '../../papers/grimes-ford/collection.js'
import { edgePath, edgeStudy, truth } from '../../papers/grimes-ford/edge-paths.js'
import { firstMonth, firstMonthOf, sameGapForAll } from '../../papers/grimes-ford/first-month.js'
import { exampleCrawlers } from '../../papers/grimes-ford/naive-example.js'
import { regridded, uniformStart } from '../../papers/grimes-ford/new-pages.js'
import { published } from '../../papers/grimes-ford/printed.js'
import { realCollection } from '../../papers/grimes-ford/real-collection.js'
import { runGrimesFord } from '../../papers/grimes-ford/run.js'
import { changesWaitedFor, sampledLaw } from '../../papers/grimes-ford/sampled-law.js'
import { unchangedLaws } from '../../papers/grimes-ford/unchanged-law.js'
import { gridPrior } from '../../src/estimators/prior/grid-prior.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'

describe("Figure 1's example", () => {
  // Grimes & Ford 3.2: 6/T and 4/T. Eq. 1 by hand: -8 ln(2.5/8.5), -4 ln(0.5/4.5).
  it('sees 6 and 4 of 7 updates', () => {
    const [one, two] = exampleCrawlers()
    expect(one!.perTotal.naive).toBe(6)
    expect(two!.perTotal.naive).toBe(4)
    expect(one!.perTotal.biasReduced).toBeCloseTo(9.7902, 4)
    expect(two!.perTotal.biasReduced).toBeCloseTo(8.7889, 4)
  })
})

describe('censoringBias', () => {
  it('is the sum over changed gaps', () => {
    // By hand, one visit at ratio ln 2: changed or not with chance 1/2; ln 3 if changed, 0 if not.
    const { naive, biasReduced } = censoringBias({ visits: 1, ratio: Math.LN2 })
    expect(naive).toBeCloseTo(0.5 / Math.LN2, 12)
    expect(biasReduced).toBeCloseTo(Math.log(3) / 2 / Math.LN2, 12)
  })
})

describe('edge paths', () => {
  it('names the case of each estimate', () => {
    const path = edgePath(new Random(1), { firstGap: 1e6 * truth, visits: 5 })
    expect(path.map(({ edge }) => edge)).toEqual(Array(5).fill('always changed'))
    // By hand: each gap is 80% of the one before, and the shortest gap is the estimate.
    path.forEach(({ changePeriod }, i) => {
      expect(changePeriod / (1e6 * truth * 0.8 ** i)).toBeCloseTo(1, 12)
    })
    expect(edgePath(new Random(1), { firstGap: 1e-6 * truth, visits: 1 })[0]!.edge).toBe(
      'no change seen',
    )
  })

  it('are mostly edge cases at first', () => {
    expect(edgeStudy({ paths: 50, seed: 1 }).firstTen).toBeGreaterThan(0.7)
  })
})

describe('collections', () => {
  it('is lognormal with a median of 240 hours', () => {
    const { changePeriods, laws } = statedCollection({ pages: 4001, seed: 1 })
    const sorted = changePeriods.slice().sort()
    // The median of 4001 draws is known to 1.253 x 1.3 / sqrt(4001) = 2.6%; three of that.
    expect(Math.abs(sorted[2000]! / (240 * HOUR) - 1)).toBeLessThan(0.08)
    expect(laws[0]!.masses.reduce((total, mass) => total + mass, 0)).toBeCloseTo(1, 12)
  })

  it('is thinned evenly', () => {
    const changePeriods = Float64Array.of(1, 2, 3, 4, 5, 6)
    const all = { name: '', about: '', changePeriods, laws: [], lawOf: (page: number) => page }
    const some = fewer(all, 3)
    expect([...some.changePeriods]).toEqual([1, 3, 5])
    expect([0, 1, 2].map(some.lawOf)).toEqual([0, 2, 4])
    expect(fewer(all, 10).changePeriods).toHaveLength(6)
  })

  it('of real pages never knows the law of its own sources', () => {
    const page = (source: string, count: number, cadence = 0): RecordedChanges => ({
      id: source + count,
      source,
      from: 0,
      until: 100 * DAY,
      cadence,
      changes: Float64Array.from({ length: count }, (_, i) => ((i + 1) * 100 * DAY) / count),
    })
    // a changes every 50 days, b every day; the third is polled daily and changed at every poll.
    const real = realCollection([page('a', 2), page('b', 100), page('a', 100, DAY), page('a', 0)])
    expect([...real.changePeriods]).toEqual([50 * DAY, DAY])
    const mean = (law: number) =>
      real.laws[law]!.masses.reduce((sum, mass, i) => sum + mass * real.laws[law]!.periods[i]!, 0)
    expect(mean(real.lawOf(0))).toBeLessThan(2 * DAY)
    expect(mean(real.lawOf(1))).toBeGreaterThan(25 * DAY)
  })
})

describe('regridded', () => {
  it('keeps a law that is flat in log periods flat, as a density over equal steps', () => {
    const law = gridPrior([1, 2, 4, 8], [1, 1, 1, 1])
    const { masses } = regridded(law, Float64Array.of(2, 3, 4))
    // By hand: density 1 / period.
    expect(masses[0]! / masses[2]!).toBeCloseTo(2, 12)
    expect(masses[0]! / masses[1]!).toBeCloseTo(1.5, 12)
  })
})

describe('the sampled law', () => {
  it('has every page that was sampled to the end, near its period', () => {
    const { prior, unfinished, changePeriods } = sampledLaw(new Float64Array(200).fill(10 * DAY), 1)
    expect(unfinished).toBe(0)
    expect(prior).not.toBeNull()
    const mean = changePeriods.reduce((sum, each) => sum + each, 0) / 200
    // 25 changes: each estimate within about 20%, the mean of 200 within 2%, plus the MLE's bias of 4%.
    expect(Math.abs(mean / (10 * DAY) - 1)).toBeLessThan(
      3 / Math.sqrt(changesWaitedFor * 200) + 0.04,
    )
  })
})

describe('while no change is seen', () => {
  it('the peak of the posterior moves to longer periods', () => {
    const peaks = unchangedLaws(statedCollection({ pages: 1, seed: 1 }).laws[0]!).map(
      ({ peak }) => peak,
    )
    expect(peaks).toEqual([...peaks].sort((a, b) => a - b))
    expect(new Set(peaks).size).toBe(4)
  })
})

describe('the first month', () => {
  const changePeriods = Float64Array.from({ length: 100 }, (_, i) => (1 + i / 4) * DAY)

  it('has the freshness of the closed form for one gap', () => {
    const budget = 2
    const { visits, freshness, freshUpTo } = firstMonthOf(sameGapForAll({ budget }), {
      changePeriods,
      budget,
      seed: 1,
    })
    // By hand: gaps of 10 days up to the end of 30 give two visits; (1 - e^-x) / x with x = 10 days / period.
    const exact = changePeriods.map(
      (period) => (-period * Math.expm1((-10 * DAY) / period)) / (10 * DAY),
    )
    expect(visits).toBe(2)
    expect(freshUpTo).toHaveLength(60)
    const mean = exact.reduce((sum, each) => sum + each, 0) / exact.length
    // The factor is found to a thousandth, and gaps shorter than 10 days leave the end longer.
    expect(Math.abs(freshness / mean - 1)).toBeLessThan(0.05)
  })

  it('spends the same visits whatever the estimator', () => {
    for (const budget of [2, 5]) {
      const way = uniformStart({ upTo: 22 * DAY, seed: 3 })
      const { visits } = firstMonthOf(way, { changePeriods, budget, seed: 1 })
      expect(Math.abs(visits - budget)).toBeLessThan(0.15)
    }
    expect(firstMonth).toBe(30 * DAY)
  })
})

describe('the run', () => {
  it('finds every claim that needs no histories as recorded, and draws every figure', () => {
    const shares: number[] = []
    const result = runGrimesFord(
      { seed: 2, histories: null, progress: (share) => shares.push(share) },
      {
        pages: 800,
        paths: 50,
        realEvery: 1,
        monthPages: 150,
        budgets: [1.5, 3],
        firstGapStep: DAY,
        annealingSteps: 500,
      },
    )
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    const found = new Map(result.findings.map((each) => [each.claim, each.verdict]))
    for (const { id, recorded, needsHistories } of published.claims)
      expect(found.get(id), id).toBe(needsHistories === true ? undefined : recorded)
    expect(result.figures).toHaveLength(11)
    for (const { svg } of result.figures) expect(svg).toMatch(/^<svg/)
    for (const { columns, rows } of result.tables)
      for (const row of rows) expect(row).toHaveLength(columns.length)
  })
})
