import { describe, expect, it } from 'vitest'
import {
  compareEstimators,
  type ErrorMeasure,
} from '../../../src/estimators/trend/compare-estimators.js'
import { consistentWindows } from '../../../src/estimators/trend/consistent-windows.js'
import { duaneTrend } from '../../../src/estimators/trend/duane.js'
import { intuitiveTrend } from '../../../src/estimators/trend/intuitive.js'
import { replayPrediction } from '../../../src/estimators/trend/replay-prediction.js'
import type { TrendEstimator } from '../../../src/estimators/trend/trend-curve.js'
import type { UpdateSeries } from '../../../src/estimators/trend/update-points.js'
import { weibullTrend } from '../../../src/estimators/trend/weibull.js'
import {
  paperThreshold,
  type WindowOptions,
  type WindowState,
} from '../../../src/estimators/trend/window-rule.js'
import { OptionError } from '../../../src/model/errors.js'
import { DAY } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { seriesAt, timesOf } from './series.js'

describe('the error of a curve at its points', () => {
  const measured = (
    times: readonly number[],
    { estimator = intuitiveTrend, measure = 'one-step-ahead' }: Partial<Held> = {},
  ) => {
    const windows = [{ state: 'constant', times }] as const
    return compareEstimators(windows, { estimators: [estimator], measure }).scores[0]!.mse
  }
  const times = [2, 4, 12]

  it('holds MTBU(t_i) against the gap before it, literally', () => {
    // By hand: means 2, 2, 4 against gaps 2, 2, 8.
    expect(measured(times, { measure: 'literal' })).toBeCloseTo(16 / 3, 12)
  })

  it('holds t_{i-1} + MTBU(t_{i-1}) against t_i, one step ahead', () => {
    // By hand: 2 + 2 against 4, 4 + 2 against 12.
    expect(measured(times)).toBe(18)
  })

  it('is null where the curve gives no number or there is none to measure', () => {
    expect(measured([1, 2], { estimator: weibullTrend() })).toBeNull()
    expect(measured([3])).toBeNull()
    expect(measured([], { measure: 'literal' })).toBeNull()
  })
})

interface Held {
  readonly estimator: TrendEstimator
  readonly measure: ErrorMeasure
}

/** 150 seeded Poisson pages over 200 days, each with its own change rate up to one a day. */
function homogeneousPages({ seed, pages }: { seed: number; pages: number }): UpdateSeries[] {
  const random = new Random(seed)
  return Array.from({ length: pages }, () => {
    const perDay = 0.1 + 0.9 * random.uniform()
    const gaps: number[] = []
    for (let at = 0; ; ) {
      const gap = random.exponential() / perDay
      at += gap
      if (at > 200) return seriesAt(timesOf(gaps.map((days) => days * DAY)), 200 * DAY)
      gaps.push(gap)
    }
  })
}

/** As the paper has them: the uncorrected shape, and Duane's cumulative formula. */
const paper: readonly TrendEstimator[] = [
  intuitiveTrend,
  weibullTrend(),
  duaneTrend({ rateOver: 'since-origin' }),
]

describe('the paper on localized change rates', () => {
  const pages = homogeneousPages({ seed: 91, pages: 150 })
  const windowsOf = (options: WindowOptions) =>
    pages
      .flatMap((page) => consistentWindows(page, options))
      .filter((window) => window.points.length >= 4)

  const ahead = (options: WindowOptions) =>
    compareEstimators(windowsOf(options), { estimators: paper, measure: 'one-step-ahead' })

  // The shared oracles found 87% one step ahead (91.5% printed). The paper leaves the reading of
  // its threshold open: these give 91, 85 and 88%.
  it.each([
    ['3 days per point', { threshold: paperThreshold }],
    ['3 days in sum', { threshold: paperThreshold, discrepancy: 'summed' }],
    ['one mean gap', { threshold: { meanGaps: 1 } }],
  ] satisfies [string, WindowOptions][])('holds one step ahead: %s', (_, options) => {
    const { windows, scores } = ahead(options)
    const [intuitive, weibull, duane] = scores
    expect(windows).toBeGreaterThan(1000)
    expect(weibull!.bestShare).toBeGreaterThan(0.8)
    expect(weibull!.bestShare).toBeLessThan(0.94)
    expect(weibull!.mse).toBeLessThan(intuitive!.mse!)
    expect(weibull!.mse).toBeLessThan(duane!.mse!)
  })

  // Longer windows, 34 points on average: 95% forward, 96% backward.
  it.each(['forward', 'backward'] as const)('holds with our own threshold, %s', (direction) => {
    const [, weibull] = ahead({ direction }).scores
    expect(weibull!.bestShare).toBeGreaterThan(0.88)
    expect(weibull!.beats.intuitive).toBeGreaterThan(0.95)
  })

  it('cuts where a gap is long, so a steady page shows more increasing windows than decreasing', () => {
    // A warning, not a wish: 309 against 158 here, and the other way round backward.
    const count = (direction: 'forward' | 'backward', state: WindowState) =>
      windowsOf({ direction }).filter((window) => window.state === state).length
    expect(count('forward', 'increasing')).toBeGreaterThan(1.3 * count('forward', 'decreasing'))
    expect(count('backward', 'decreasing')).toBeGreaterThan(1.3 * count('backward', 'increasing'))
  })

  it('does not hold literally: there the intuitive estimator wins', () => {
    const windows = windowsOf({ threshold: paperThreshold })
    const literal = compareEstimators(windows, { estimators: paper, measure: 'literal' })
    const [intuitive, weibull] = literal.scores
    expect(intuitive!.bestShare).toBeGreaterThan(0.65)
    expect(weibull!.bestShare).toBeLessThan(0.35)
  })
})

describe('compareEstimators', () => {
  it('counts by hand, window by window and state by state', () => {
    // Equal gaps: the intuitive curve is exact, Weibull is not.
    const even = { state: 'constant' as const, times: [1, 2, 3, 4] }
    const tooShort = { state: 'constant' as const, times: [1, 2] }
    const estimators = [intuitiveTrend, weibullTrend()]
    const compared = compareEstimators([even, tooShort], { estimators, measure: 'one-step-ahead' })
    expect(compared).toMatchObject({ windows: 1, skipped: 1 })
    expect(compared.scores[0]).toEqual({
      name: 'intuitive',
      mse: 0,
      mseByState: { constant: 0, increasing: null, decreasing: null },
      bestShare: 1,
      beats: { weibull: 1 },
    })
    expect(compared.scores[1]).toMatchObject({ bestShare: 0, beats: { intuitive: 0 } })
  })

  it('has no winner without windows, nor in a tie', () => {
    const estimators = [intuitiveTrend, intuitiveTrend]
    const none = compareEstimators([], { estimators, measure: 'literal' })
    expect(none.scores[0]).toMatchObject({ mse: null, bestShare: 0 })
    const one = { state: 'constant' as const, times: [1, 2, 4] }
    const tie = compareEstimators([one], { estimators, measure: 'literal' })
    expect(tie.scores.map((score) => score.bestShare)).toEqual([0, 0])
  })
})

describe('replayPrediction', () => {
  it('visits an even page once for each update', () => {
    // By hand: updates each 10 days, seen on the day; three are given, seven are foreseen.
    const even = seriesAt(
      Array.from({ length: 10 }, (_, i) => (i + 1) * 10 * DAY),
      101 * DAY,
    )
    expect(replayPrediction(even, { predict: { estimator: intuitiveTrend } })).toEqual({
      updates: 7,
      observed: 7,
      unobserved: 0,
      visits: 7,
      premature: 0,
    })
  })

  it('has nothing to do for a page without updates', () => {
    expect(replayPrediction(seriesAt([], 100))).toMatchObject({ updates: 0, visits: 0 })
    expect(() => replayPrediction(seriesAt([1]), { shortestWait: 0 })).toThrow(OptionError)
  })

  const pages = homogeneousPages({ seed: 92, pages: 30 }).map(byDay)
  const caught = (estimator: TrendEstimator, alpha = 1) => {
    const windows = { threshold: paperThreshold }
    const all = pages.map((page) =>
      replayPrediction(page, { windows, predict: { estimator, alpha } }),
    )
    const total = (of: (result: (typeof all)[number]) => number) =>
      all.reduce((so, result) => so + of(result), 0)
    for (const each of all) expect(each.visits).toBe(each.observed + each.premature)
    return {
      share: total((each) => each.observed) / total((each) => each.updates),
      visits: total((each) => each.visits),
    }
  }
  const cumulative = { rateOver: 'since-origin' } as const

  it('shows that Duane catches most updates only with the bare intercept, by visiting far more', () => {
    // Table 3 prints 88%; ours: about 90% with the bare intercept, 53% with its exponential.
    const bare = caught(duaneTrend({ ...cumulative, intercept: 'un-exponentiated' }))
    const right = caught(duaneTrend(cumulative))
    expect(bare.share).toBeGreaterThan(0.8)
    expect(right.share).toBeLessThan(0.65)
    expect(bare.visits).toBeGreaterThan(2 * right.visits)
  })

  it('shows that the bound alpha catches more updates', () => {
    // Section 5: 76% without, 86.7% with 0.7; ours about 57% and 74%.
    const free = caught(weibullTrend())
    const bound = caught(weibullTrend(), 0.7)
    expect(bound.share).toBeGreaterThan(free.share + 0.08)
  })
})

/** A page seen once a day, as in the paper's data: one update a day at most, at noon. */
function byDay(page: UpdateSeries): UpdateSeries {
  const days = new Set(page.points.map(({ at }) => Math.floor(at / DAY)))
  return seriesAt(
    [...days].map((day) => (day + 0.5) * DAY),
    page.until,
  )
}
