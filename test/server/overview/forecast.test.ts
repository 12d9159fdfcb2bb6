import { describe, expect, it } from 'vitest'
import type { Mind } from '../../../src/engine/index.js'
import { DAY, type Learner, type PageRecord } from '../../../src/model/index.js'
import { evenFreshness, malcolmArmitage } from '../../../src/schedule/index.js'
import { ForecastSums, fixedFreshness } from '../../../src/server/overview/forecast.js'

const now = 1_700_000_000
const policy = malcolmArmitage()

/** Believes what is written in a page's only number. */
const learner = {
  name: 'told',
  size: 1,
  start: () => {},
  learn: () => {},
  changePeriod: (memory: Float64Array) => memory[0]!,
} as unknown as Learner
const mind: Mind = { policy, learner }
const parts = { mindFor: () => mind } as unknown as Parameters<ForecastSums['add']>[1]

function page({ period, gap, importance = 1 }: Record<string, number>): PageRecord {
  const state = {
    learner: `${policy.name}/told`,
    numbers: Float64Array.of(9, 3, 0, period!),
  }
  const known = { state, importance, changes: 3, lastSeen: now }
  return { ...known, due: { at: now + gap!, reason: '' } } as unknown as PageRecord
}

/** In the middle of a bin of like rates, where nothing is rounded. */
const [fast, slow] = [Math.exp(110 / 16), Math.exp(144 / 16)]

const at = (changes: number, visits: number) =>
  evenFreshness({ changeRate: 1 / changes, visitRate: 1 / visits })

describe('the forecast', () => {
  it('compares the schedule with one gap for all, by as many visits', () => {
    const sums = new ForecastSums()
    sums.add(page({ period: fast, gap: 500, importance: 3 }), parts)
    sums.add(page({ period: slow, gap: 1500 }), parts)
    const forecast = sums.forecast(now)
    expect(forecast.requestsPerDay).toBeCloseTo(DAY / 375, 6)
    expect(forecast.freshness).toBeCloseTo((3 * at(fast, 500) + at(slow, 1500)) / 4, 9)
    // Two pages and a visit every 375 s: one every 750 s for each.
    expect(fixedFreshness(forecast, DAY / 375)).toBeCloseTo(
      (3 * at(fast, 750) + at(slow, 750)) / 4,
      9,
    )
  })

  it('lets pages that are not known yet have their share of the visits', () => {
    const sums = new ForecastSums()
    sums.add(page({ period: fast, gap: 500 }), parts)
    sums.add({ ...page({ period: fast, gap: 500 }), state: null }, parts)
    expect(fixedFreshness(sums.forecast(now), DAY / 300)).toBeCloseTo(at(fast, 600), 9)
  })

  it('compares nothing before anything is known or visited', () => {
    expect(fixedFreshness(new ForecastSums().forecast(now), 10)).toBeNull()
    const sums = new ForecastSums()
    sums.add(page({ period: fast, gap: 500 }), parts)
    expect(fixedFreshness(sums.forecast(now), 0)).toBeNull()
  })
})
