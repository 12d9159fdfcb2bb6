import { describe, expect, it } from 'vitest'
import type { Mind } from '../../../src/engine/index.js'
import { DAY, type Learner, type PageRecord } from '../../../src/model/index.js'
import { evenFreshness, malcolmArmitage } from '../../../src/schedule/index.js'
import { ForecastSums } from '../../../src/server/overview/forecast.js'

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
    // Two pages and a visit every 375 s: one every 750 s for each.
    const sums = new ForecastSums({ fixedGap: 750 })
    sums.add(page({ period: fast, gap: 500, importance: 3 }), parts)
    sums.add(page({ period: slow, gap: 1500 }), parts)
    const forecast = sums.forecast(now)
    expect(forecast.requestsPerDay).toBeCloseTo(DAY / 375, 6)
    expect(forecast.freshness).toBeCloseTo((3 * at(fast, 500) + at(slow, 1500)) / 4, 9)
    expect(forecast.fixedFreshness).toBeCloseTo((3 * at(fast, 750) + at(slow, 750)) / 4, 9)
  })

  it('compares by beliefs where there are any', () => {
    const sums = new ForecastSums({ fixedGap: 750 })
    const [one, other] = [page({ period: fast, gap: 500, importance: 3 }), page({ period: slow })]
    sums.add(one, parts)
    sums.addFixed(one, 0.5)
    sums.addFixed(other, 0.9)
    expect(sums.forecast(now).fixedFreshness).toBeCloseTo((3 * 0.5 + 0.9) / 4, 12)
  })

  it('compares nothing before anything is known or visited', () => {
    expect(new ForecastSums({ fixedGap: 750 }).forecast(now).fixedFreshness).toBeNull()
    const sums = new ForecastSums()
    sums.add(page({ period: fast, gap: 500 }), parts)
    expect(sums.forecast(now).fixedFreshness).toBeNull()
  })
})
