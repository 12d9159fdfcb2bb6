import { describe, expect, it } from 'vitest'
import { biases } from '../../papers/singh/constants.js'
import { contenders } from '../../papers/singh/contenders.js'
import { printed, published } from '../../papers/singh/printed.js'
import { twoMonthCrawls, wholeHistories } from '../../papers/singh/recorded-set.js'
import { runSingh } from '../../papers/singh/run.js'
import { SizeErrors } from '../../papers/singh/size-errors.js'
import { studyOf } from '../../papers/singh/study.js'
import { syntheticSet, units } from '../../papers/singh/synthetic-set.js'
import { verdictOf } from '../../papers/verdict-of.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'

const quiet = () => {}

describe('the synthetic set', () => {
  const pages = 400
  const series = [...syntheticSet({ pages, seed: 7 }).series()]

  it("has the paper's number of updates a page: 29,435,529 / 300,000", () => {
    const updates = series.reduce((total, { points }) => total + points.length, 0)
    // Standard deviation of a page's count about 33, so 1.7 of the mean of 400; 4 of them.
    expect(Math.abs(updates / pages - 98.1)).toBeLessThan(7)
  })

  it('has one update an access unit at most, at its middle', () => {
    for (const { points, until } of series.slice(0, 50)) {
      expect(until).toBe(units * DAY)
      points.forEach(({ at }, i) => {
        expect((at / DAY) % 1).toBe(0.5)
        expect(at).toBeGreaterThan(points[i - 1]?.at ?? 0)
      })
    }
  })
})

describe('real histories by the day', () => {
  // By hand: changes on days 0 (twice), 1, 61, 62 and 130 of a record of 140 days.
  const days = [0.2, 0.9, 1, 1.5, 61.5, 62.5, 130.5]
  const history: RecordedChanges = {
    id: 'a',
    source: 's',
    from: 1000,
    until: 1000 + 140 * DAY,
    cadence: 0,
    changes: Float64Array.from(days, (day) => 1000 + day * DAY),
  }
  const daysOf = (set: ReturnType<typeof wholeHistories>) =>
    [...set.series()].map(({ points }) => points.map(({ at }) => at / DAY))

  it('counts one update a day', () => {
    expect(daysOf(wholeHistories([history]))).toEqual([[0.5, 1.5, 61.5, 62.5, 130.5]])
  })

  it('are cut into whole crawls of 62 days that saw an update', () => {
    // Days 124 to 140 are no whole stretch.
    expect(daysOf(twoMonthCrawls([history]))).toEqual([[0.5, 1.5, 61.5], [0.5]])
  })
})

describe('SizeErrors', () => {
  it('takes means by size', () => {
    const errors = new SizeErrors(2)
    errors.add(7, [1, 10])
    errors.add(8, [3, 20])
    errors.add(8, null)
    errors.add(4, [5, 5])
    const [found, ...others] = errors.classes({ fewest: 2 })
    expect(others).toEqual([])
    expect(found).toMatchObject({ size: 7.5, windows: 2, mse: [2, 15] })
    // By hand: variances 1 and 25, covariance 5; (2/15) sqrt((1/4 + 25/225 - 2*5/30) / 2).
    expect(found!.ratioError(0, 1)).toBeCloseTo((2 / 15) * Math.sqrt(1 / 72), 12)
  })
})

// Calabria et al. 1988; worked out again in the comment of `biases`.
describe('the constants of section 3.2', () => {
  it('are those of the closed forms, not the printed ones', () => {
    for (const bias of biases({ windows: 20_000, seed: 3 })) {
      expect(bias.shape / bias.exactShape).toBeCloseTo(1, 1.5)
      expect(bias.changeRate / bias.exactChangeRate).toBeCloseTo(1, 1.5)
    }
  })
})

describe('a small study', () => {
  const study = studyOf(syntheticSet({ pages: 300, seed: 5 }), quiet)

  // Shared oracles: 87% one step ahead on a homogeneous set; the intuitive estimator wins literally.
  it('has Weibull ahead one step ahead, the intuitive estimator literally', () => {
    const [, weibull] = study.compared['one-step-ahead'].scores
    const [intuitive] = study.compared.literal.scores
    expect(weibull!.bestShare).toBeGreaterThan(0.85)
    expect(intuitive!.bestShare).toBeGreaterThan(0.65)
  })

  it('accounts for every visit', () => {
    expect(study.replays).toHaveLength(10)
    for (const { visits, observed, premature, updates } of study.replays) {
      expect(visits).toBe(observed + premature)
      expect(observed).toBeLessThanOrEqual(updates)
    }
    expect(contenders).toHaveLength(3)
  })
})

describe('the run', () => {
  it('finds every claim that needs no histories as recorded, and draws every figure', () => {
    const shares: number[] = []
    const result = runSingh(
      { seed: 2, histories: null, progress: (share) => shares.push(share) },
      {
        pages: 800,
        second: 800,
        thresholds: 200,
        readings: 50,
        windows: 10_000,
        done: [0.5, 0.6, 0.7, 0.8],
      },
    )
    const found = new Map(result.findings.map((each) => [each.claim, each.verdict]))
    for (const { id, recorded, needsHistories } of published.claims)
      expect(found.get(id), id).toBe(needsHistories === true ? undefined : recorded)
    expect(found.size).toBe(published.claims.filter((each) => !each.needsHistories).length)
    expect(result.figures.map(({ file }) => file)).toEqual([
      'figure-1a.svg',
      'figure-2.svg',
      'table-2.svg',
      'table-3.svg',
    ])
    for (const { svg } of result.figures) expect(svg).toMatch(/^<svg/)
    for (const { columns, rows } of result.tables)
      for (const row of rows) expect(row).toHaveLength(columns.length)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
  })

  it("has the paper's slip in its numbers", () => {
    const { observed, unobserved } = printed.table3.real.Weibull
    expect(observed + unobserved).toBeCloseTo(1.1, 10)
  })
})

describe('verdictOf', () => {
  it('is of all, some or none', () => {
    expect(verdictOf(true, true)).toBe('holds')
    expect(verdictOf(true, false)).toBe('holds in part')
    expect(verdictOf(false)).toBe('does not hold')
  })
})
