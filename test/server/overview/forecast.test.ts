import { describe, expect, it } from 'vitest'
import type { Mind } from '../../../src/engine/index.js'
import type { Learner, PageRecord } from '../../../src/model/index.js'
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

describe('the forecast', () => {
  it('compares the schedule with one gap for all, by as many requests', () => {
    const sums = new ForecastSums()
    sums.add(page({ period: fast, gap: 500, importance: 3 }), parts)
    sums.add(page({ period: slow, gap: 1500 }), parts)
    const { freshness, fixedFreshness, requestsPerDay } = sums.forecast(now)
    // Two pages and a request every 375 s: one every 750 s for each.
    expect(requestsPerDay).toBeCloseTo(86_400 / 375, 6)
    const at = (changes: number, visits: number) =>
      evenFreshness({ changeRate: 1 / changes, visitRate: 1 / visits })
    expect(freshness).toBeCloseTo((3 * at(fast, 500) + at(slow, 1500)) / 4, 9)
    expect(fixedFreshness).toBeCloseTo((3 * at(fast, 750) + at(slow, 750)) / 4, 9)
  })

  it('is as good as one gap for all where all have the same', () => {
    const sums = new ForecastSums()
    for (const period of [1000, 8000, 30_000]) sums.add(page({ period, gap: 900 }), parts)
    const { freshness, fixedFreshness } = sums.forecast(now)
    expect(fixedFreshness).toBeCloseTo(freshness, 2)
  })

  it('compares nothing before anything is known or asked for', () => {
    expect(new ForecastSums().forecast(now).fixedFreshness).toBeNull()
    const sums = new ForecastSums()
    sums.add({ ...page({ period: 1000, gap: 1 }), due: { at: 'never', reason: '' } }, parts)
    expect(sums.forecast(now).fixedFreshness).toBeNull()
  })
})
