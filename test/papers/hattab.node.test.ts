import { describe, expect, it } from 'vitest'
import { bandwidth, currentShare, reindexPeriod } from '../../papers/hattab/currency.js'
import { marked, replayExtract } from '../../papers/hattab/extracts.js'
import { contentAgeShare, lifetimeQuantile, lifetimeShare } from '../../papers/hattab/lifetimes.js'
import { printed } from '../../papers/hattab/printed.js'
import { declaredBy, tagOfWeek, weeklyCounts } from '../../papers/hattab/tags.js'
import { DAY, WEEK } from '../../src/model/units.js'

describe('the printed extracts, replayed', () => {
  // Shared oracles: 13/21, 3 crawls, 1 needless; 18/21 as printed and 15/21 by the rules, 6 and 2.
  it('Table 1', () => {
    const found = replayExtract(printed.table1)
    expect(found).toEqual({ fresh: printed.table1.fresh, freshDays: 13, crawls: 3, needless: 1 })
  })

  it('Table 2', () => {
    const found = replayExtract(printed.table2)
    expect(found).toMatchObject({ freshDays: 15, crawls: 6, needless: 2 })
    expect(marked(printed.table2.fresh)).toBe(18)
  })
})

describe('re-indexing', () => {
  // SciPy: quad over the Weibull law and brentq.
  it.each([
    [1, 8.580991583588126],
    [7, 18.488082055591065],
  ])('keeps 95%% fresh up to %d days ago', (days, period) => {
    const found = reindexPeriod({ share: 0.95, grace: days * DAY })
    expect(found / DAY).toBeCloseTo(period, 3)
    expect(currentShare({ revisitPeriod: found, grace: days * DAY })).toBeCloseTo(0.95, 9)
  })

  it('is never late within the grace', () => {
    expect(currentShare({ revisitPeriod: DAY, grace: DAY })).toBe(1)
  })

  it('adds up to 0.131 Gbit/s, not 1.3', () => {
    // By hand: 10^9 x 96,000 bits / 734,400 s.
    const bits = bandwidth({ pages: 1e9, bytesPerPage: 12_000, revisitPeriod: 8.5 * DAY })
    expect(bits / 1e9).toBeCloseTo(0.1307, 4)
  })

  it('has the median change period of 117 days', () => {
    // By hand: 152.2 x (ln 2)^(1/1.4).
    expect(lifetimeQuantile(0.5) / DAY).toBeCloseTo(117.14, 1)
    expect(lifetimeShare(lifetimeQuantile(0.3))).toBeCloseTo(0.3, 12)
    expect(contentAgeShare(0)).toBe(0)
  })
})

describe('tags from weekly counts', () => {
  it('count days, not changes', () => {
    const changes = Float64Array.from([1, 2, 3 * DAY, 6.9 * DAY, 8 * DAY])
    expect(weeklyCounts(changes, { weeks: 3 })).toEqual([3, 1, 0])
  })

  it('follow the rule of section 4', () => {
    expect(tagOfWeek([0, 0, 0, 0], 4)).toEqual({ kind: 'static', count: 0 })
    expect(tagOfWeek([7, 7, 7, 7], 4)).toEqual({ kind: 'periodic', count: 7 })
    expect(tagOfWeek([7, 7, 7, 5], 4)).toEqual({ kind: 'nonuniform', count: 5 })
    // Only the four weeks before count.
    expect(tagOfWeek([1, 3, 3, 3, 3, 9], 5)).toEqual({ kind: 'periodic', count: 3 })
  })

  it('are read as days or literally', () => {
    const daily = { kind: 'periodic', count: 7 } as const
    expect(declaredBy(daily, 'days')).toEqual({ kind: 'periodic', period: DAY })
    expect(declaredBy(daily, 'literal')).toEqual({ kind: 'periodic', period: WEEK })
    expect(declaredBy({ kind: 'nonuniform', count: 3 }, 'days')).toEqual({
      kind: 'nonuniform',
      period: 2 * DAY,
    })
    expect(declaredBy({ kind: 'nonuniform', count: 0 }, 'literal')).toEqual({
      kind: 'nonuniform',
      period: WEEK,
    })
    expect(declaredBy({ kind: 'static', count: 0 }, 'days')).toEqual({ kind: 'static' })
  })
})
