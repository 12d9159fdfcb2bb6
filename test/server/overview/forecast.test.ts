import { describe, expect, it } from 'vitest'
import type { PageRecord } from '../../../src/model/page.js'
import { DAY } from '../../../src/model/units.js'
import { evenFreshness } from '../../../src/policies/allocation/freshness.js'
import { ForecastSums } from '../../../src/server/collection/forecast.js'

const now = 1_700_000_000

function page({ gap, importance = 1 }: { gap: number; importance?: number }): PageRecord {
  const known = { importance, changes: 3, lastSeen: now }
  return { ...known, due: { at: now + gap, reason: '' } } as unknown as PageRecord
}

/** In the middle of a bin of like rates, where nothing is rounded. */
const [fast, slow] = [Math.exp(110 / 16), Math.exp(144 / 16)]

const at = (changes: number, visits: number) =>
  evenFreshness({ changeRate: 1 / changes, visitRate: 1 / visits })

describe('the forecast', () => {
  it('compares the schedule with one gap for all, by as many visits', () => {
    // Two pages and a visit every 375 s: one every 750 s for each.
    const sums = new ForecastSums({ fixedGap: 750 })
    sums.add(page({ gap: 500, importance: 3 }), fast)
    sums.add(page({ gap: 1500 }), slow)
    const forecast = sums.forecast(now)
    expect(forecast.requestsPerDay).toBeCloseTo(DAY / 375, 6)
    expect(forecast.freshness).toBeCloseTo((3 * at(fast, 500) + at(slow, 1500)) / 4, 9)
    expect(forecast.fixedFreshness).toBeCloseTo((3 * at(fast, 750) + at(slow, 750)) / 4, 9)
  })

  it('compares by posteriors where there are any', () => {
    const sums = new ForecastSums({ fixedGap: 750 })
    const [one, other] = [page({ gap: 500, importance: 3 }), page({ gap: 1500 })]
    sums.add(one, fast)
    sums.addFixed(one, 0.5)
    sums.addFixed(other, 0.9)
    expect(sums.forecast(now).fixedFreshness).toBeCloseTo((3 * 0.5 + 0.9) / 4, 12)
  })

  it('compares nothing before anything is known or visited', () => {
    expect(new ForecastSums({ fixedGap: 750 }).forecast(now).fixedFreshness).toBeNull()
    const sums = new ForecastSums()
    sums.add(page({ gap: 500 }), fast)
    expect(sums.forecast(now).fixedFreshness).toBeNull()
  })

  it('predicts no freshness of pages of which nothing is known', () => {
    const sums = new ForecastSums()
    sums.add(page({ gap: 500 }), null)
    expect(sums.forecast(now)).toMatchObject({
      freshness: null,
      freshnessError: null,
      predicted: null,
      pagesKnown: 0,
      pagesUnknown: 1,
      requestsPerDay: expect.closeTo(DAY / 500, 6),
    })
  })
})
