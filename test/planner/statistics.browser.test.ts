import { describe, expect, it } from 'vitest'
import type { PageRecord } from '../../src/model/page.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import {
  CollectionStatistics,
  type PredictedPage,
  runningGap,
} from '../../src/planner/collection/statistics.js'
import { freshShare } from '../../src/planner/value/planned-page.js'
import { aPoissonPage } from '../fixtures/a-posterior.js'

const now = 1_700_000_000
const law = 9
const posterior = aPoissonPage(law)
const gap = 3 * DAY
const page = {
  ...{ lastSeen: now - DAY, visits: 4, importance: 1, failing: 0, gone: 0, lastVisit: null },
  due: { at: now - DAY + gap, reason: '' },
} as PageRecord
const predicted: PredictedPage = { page, posterior, clock: flatClock }
const plain = freshShare(posterior, { at: now - DAY, gap, clock: flatClock })
const listed = { weight: 0.9, reliability: 1, delay: 2 * HOUR }

function freshness(...pages: PredictedPage[]): number | null {
  const statistics = new CollectionStatistics()
  for (const each of pages) statistics.predict(each)
  return statistics.freshness
}

describe('predicted freshness', () => {
  it('is the share of the running gap, by importance', () => {
    expect(freshness(predicted)).toBeCloseTo(plain, 12)
    const stale = { ...predicted, changeSignal: 1, importance: 3 }
    expect(freshness(predicted, stale)).toBeCloseTo(plain / 4, 12)
    expect(freshness()).toBeNull()
  })

  // By hand: from visit to visit fresh for 1 / rate on the mean, then stale for the delay.
  it('counts a page that waits for a list by how late that reports', () => {
    const share = 1 / (1 + laws.changeRates[law]! * listed.delay)
    expect(freshness({ ...predicted, listed })).toBeCloseTo(share, 9)
  })

  it('counts a page that a list says has changed for as much as the list may be wrong', () => {
    expect(freshness({ ...predicted, changeSignal: 0.9 })).toBeCloseTo(0.1 * plain, 12)
  })

  it('is corrected by what became of the group’s predictions, and stays a share', () => {
    expect(freshness({ ...predicted, staleRatio: 0.5 })).toBeCloseTo(1 - 0.5 * (1 - plain), 12)
    expect(freshness({ ...predicted, staleRatio: 1e9 })).toBe(0)
  })

  it('leaves out what is worth nothing and what is out of reach', () => {
    const list = { ...predicted, importance: 0 }
    const gone = { ...predicted, page: { ...page, gone: 1 } }
    expect(freshness(predicted, list, gone)).toBeCloseTo(plain, 12)
    expect(freshness(list)).toBeNull()
  })
})

describe('counts', () => {
  it('takes comparisons for spending, and neither first nor failed visits', () => {
    const statistics = new CollectionStatistics()
    statistics.add({ page, comparisons: 3, now })
    statistics.add({ page: { ...page, failing: 4 }, comparisons: 0, now })
    statistics.add({ page: { ...page, lastSeen: null }, comparisons: 0, now })
    expect(statistics.comparisons).toBe(3)
    // By hand: three comparisons, a third of the running gap, less the half that runs on average.
    expect(statistics.spent).toBeCloseTo(3 + 1 / 3 - 0.5, 12)
    expect(statistics.pages).toBe(2)
  })

  it('reserves what was promised to a page, and each visit of one with a policy of its own', () => {
    const lastVisit = { at: now, outcome: 'changed', status: 200 } as const
    const fast = { ...page, lastSeen: now, lastVisit, due: { at: now + 5, reason: '' } }
    const statistics = new CollectionStatistics()
    statistics.add({ page: fast, comparisons: 0, own: true, now })
    expect(statistics.reserved * DAY).toBeCloseTo(17_280, 6)
    statistics.add({ page, comparisons: 0, guaranteed: HOUR, now })
    expect(statistics.reserved * DAY).toBeCloseTo(17_304, 6)
    expect(statistics).toMatchObject({ guaranteed: 2, free: 0, pages: 1 })
    expect(runningGap(fast, { shortest: 1 })).toBe(5)
    // By the default it would be a visit called for, which passes.
    expect(runningGap(fast)).toBe(60)
  })
})
