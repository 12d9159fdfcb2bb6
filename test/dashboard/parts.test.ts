import { describe, expect, it } from 'vitest'
import { linkTo, routeOf } from '../../dashboard/app/route.js'
import {
  durationTicks,
  logDurationTicks,
  logNumberTicks,
  timeTicks,
  wholeTicks,
  withRoom,
} from '../../dashboard/charts/ticks.js'
import { firstRun } from '../../dashboard/lab/lab-run.js'
import { scorePolicy } from '../../dashboard/lab/score-policy.js'
import { hasPeriod, stageOf } from '../../dashboard/lab/truth-process.js'
import { convergence, countsUpTo, watchedHistory } from '../../dashboard/lab/watch-page.js'
import {
  changesEvery,
  changesEveryTitle,
  pointsAbove,
  shortDuration,
  shortTime,
} from '../../dashboard/parts/words.js'
import { freshnessAt } from '../../dashboard/views/budget/curve.js'

describe('addresses of views', () => {
  it('come back as they were, whatever stands in them', () => {
    const query = { host: 'a&b=c#d%', q: '“x”' }
    expect(routeOf(linkTo(['pages', 'a/b'], query))).toEqual({ path: ['pages', 'a/b'], query })
    expect(routeOf('#/%E0%A4%A')).toEqual({ path: ['%E0%A4%A'], query: {} })
    expect(linkTo(['pages'], { q: '', host: undefined })).toBe('#/pages')
  })
})

describe('how often a page changes, in a table', () => {
  it('is in brackets where every visit found a change, or none did', () => {
    expect(changesEvery({ visits: 1, changes: 0, changePeriod: null })).toBe('–')
    expect(changesEvery({ visits: 5, changes: 4, changePeriod: 180 })).toBe('(3 minutes)')
    expect(changesEvery({ visits: 5, changes: 0, changePeriod: 86_400 })).toBe('(24 hours)')
    expect(changesEvery({ visits: 5, changes: 2, changePeriod: 86_400 })).toBe('24 hours')
    expect(changesEvery({ visits: 5, changes: 2, changePeriod: 86_400 }, shortDuration)).toBe('1d')
  })
})

describe('what is said where that is no plain period', () => {
  it('tells what the brackets mean', () => {
    const title = (visits: number, changes: number, changePeriod: number | null) =>
      changesEveryTitle({ visits, changes, changePeriod })
    expect(title(5, 4, 180)).toMatch(/^an estimate: every visit found a change/)
    expect(title(5, 0, 86_400)).toBe('an estimate: no change seen yet')
    expect(title(5, 2, 86_400)).toBeUndefined()
    expect(title(1, 0, null)).toBeUndefined()
  })
})

describe('how many points a share is above another', () => {
  it('is the difference of both as they are written', () => {
    expect(pointsAbove(0.8574, 0.83451)).toBe(2.2)
    expect(pointsAbove(0.46886, 0.46644)).toBe(0.3)
    expect(pointsAbove(0.5, 0.5)).toBe(0)
  })
})

describe('the lines of axes', () => {
  it('have a word only where it does not touch the one before', () => {
    const lines = [
      { x: 0, word: '10min' },
      { x: 40, word: '1h' },
      { x: 60, word: '6h' },
      { x: 75, word: '1d' },
      { x: 100, word: '7d' },
    ]
    expect(withRoom(lines).map(({ word }) => word)).toEqual(['10min', '1h', '6h', '7d'])
    expect(withRoom([])).toEqual([])
  })

  it('are round, within the axis, and few', () => {
    const ranges = [
      [1e-3, 1e-2],
      [10, 1e9],
      [3600, 7200],
      [1, 1.5],
    ] as const
    for (const range of ranges)
      for (const ticks of [logDurationTicks, logNumberTicks, durationTicks]) {
        const found = ticks(range, 6)
        expect(found.length).toBeLessThanOrEqual(12)
        for (const each of found) expect(each >= range[0] && each <= range[1]).toBe(true)
      }
    expect(logDurationTicks([60, 30 * 86_400], 5)).toContain(86_400)
    // Midnight by this machine's clock, wherever it is.
    const midnight = new Date(2026, 0, 5).getTime() / 1000
    expect(timeTicks([midnight, midnight + 86_400], 4).map((at) => at - midnight)).toEqual([
      0, 21_600, 43_200, 64_800, 86_400,
    ])
  })

  it('are whole where things are counted: none stands there twice', () => {
    expect(wholeTicks([2, 5], 6)).toEqual([2, 3, 4, 5])
    expect(wholeTicks([2, 62], 2.8)).toEqual([20, 40, 60])
  })

  it('are enough on a phone to read a value between them', () => {
    expect(logNumberTicks([58, 6000], 2.8)).toEqual([100, 300, 1000, 3000])
    const monday = new Date(2026, 0, 5).getTime() / 1000
    const week = [monday, monday + 7 * 86_400] as const
    expect(timeTicks(week, 2.8).length).toBeGreaterThan(1)
    expect(shortTime(monday, { span: 7 * 86_400 })).toBe('5 Jan')
    expect(shortTime(monday + 43_200, { span: 7 * 86_400 })).toBe('5 Jan 12:00')
  })
})

describe('the lab', () => {
  const run = {
    truth: { kind: 'process', spec: 'poisson:period=2d' },
    days: 200,
    pages: 50,
    spread: 1,
    visitsPerDay: null,
    seed: 1,
    policies: ['fixed:gap=2d'],
    estimators: ['irregular-mle', 'intuitive'],
    watchedBy: 'fixed:gap=12h',
    reportsContentAge: false,
  } as const

  // Cho & Garcia-Molina 2003: visited once a change period, a page is fresh 1 - 1/e of the time.
  it('scores a policy as theory says', () => {
    const row = scorePolicy('fixed:gap=2d', run, stageOf(run))
    expect(row.freshness).toBeCloseTo(1 - Math.exp(-1), 1)
    expect(row.fixedFreshness).toBeCloseTo(row.freshness, 1)
    expect(row.visitsPerDay).toBeCloseTo(0.5, 1)
    expect(row.cutShort).toBe(false)
  })

  it('lets every policy of the first run make as many visits on unlike pages', () => {
    const stage = stageOf(firstRun)
    const periods = stage.processes.map((each) => each.changePeriod)
    expect(Math.max(...periods) / Math.min(...periods)).toBeCloseTo(100 ** 0.99, 0)
    const rows = firstRun.policies.map((policy) => scorePolicy(policy, firstRun, stage))
    for (const row of rows) {
      expect(row).toMatchObject({ offBudget: false, cutShort: false })
      expect(row.visitsPerDay).toBeGreaterThan(0.97)
      expect(row.visitsPerDay).toBeLessThanOrEqual(1.0001)
    }
    const [auto, fixed] = rows
    // One gap for all pages is what equal gaps are.
    expect(fixed!.freshness).toBeCloseTo(fixed!.fixedFreshness, 2)
    expect(auto!.freshness).toBeGreaterThan(fixed!.freshness)
  })

  it('knows which processes have pages that can differ', () => {
    expect(hasPeriod('poisson:period=2d')).toBe(true)
    expect(hasPeriod('lattice:step=1d')).toBe(false)
    const stage = stageOf({ ...run, spread: 100, truth: { kind: 'process', spec: 'lattice:' } })
    expect(new Set(stage.processes.map((each) => each.changePeriod)).size).toBe(1)
  })

  it('lets the estimates converge on the truth', () => {
    const points = [...convergence(run, watchedHistory(run, stageOf(run)))]
    const last = points[points.length - 1]!
    expect(last.visits).toBe(401)
    const [mle] = last.estimates
    expect(mle!.changePeriod! / (2 * 86_400)).toBeGreaterThan(0.8)
    expect(mle!.changePeriod! / (2 * 86_400)).toBeLessThan(1.25)
  })

  it('looks at every count where there are few, and at the last of many', () => {
    expect(countsUpTo(3, 5)).toEqual([1, 2, 3])
    const many = countsUpTo(10_000, 50)
    expect(many.length).toBeLessThanOrEqual(50)
    expect(many[many.length - 1]).toBe(10_000)
  })

  it('replays what was seen of a page', () => {
    const truth = {
      kind: 'record',
      name: 'x',
      times: [0, 86_400, 5 * 86_400],
      end: 9 * 86_400,
    } as const
    const stage = stageOf({ ...run, truth })
    expect(stage.pages).toBe(1)
    expect(scorePolicy('fixed:gap=1d', { ...run, truth }, stage).caughtShare).toBe(1)
  })
})

describe('the budget curve', () => {
  const curve = [
    { requestsPerDay: 10, freshness: 0.2 },
    { requestsPerDay: 40, freshness: 0.6 },
  ]
  // By hand: 20 is half of the way from 10 to 40 in logarithms.
  it('is joined between its points over the logarithm of requests', () => {
    expect(freshnessAt(curve, 20)).toBeCloseTo(0.4, 12)
    expect(freshnessAt(curve, 5)).toBe(0.2)
    expect(freshnessAt(curve, 99)).toBe(0.6)
    expect(freshnessAt([], 5)).toBeUndefined()
  })
})
