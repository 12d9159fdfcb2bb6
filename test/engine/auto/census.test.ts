import { describe, expect, it } from 'vitest'
import { Census, runningGap } from '../../../src/engine/auto/census.js'
import { DAY, HOUR, type PageRecord } from '../../../src/model/index.js'
import { flatClock, twoPaceLaws as laws } from '../../../src/numeric/index.js'
import { freshShare } from '../../../src/schedule/index.js'

const now = 1_700_000_000
const law = 9
const belief = new Float64Array(2 * laws.size + 2)
belief[2 * law] = 1
const gap = 3 * DAY
const page = {
  ...{ lastSeen: now - DAY, visits: 4, importance: 1, failing: 0, gone: 0, lastVisit: null },
  due: { at: now - DAY + gap, reason: '' },
} as PageRecord
const counted = { page, belief, clock: flatClock, now }
const plain = freshShare(belief, { at: now - DAY, gap, clock: flatClock })
const listed = { weight: 0.9, reliability: 1, delay: 2 * HOUR }

function freshness(...pages: Parameters<Census['add']>[0][]): number | null {
  const census = new Census()
  for (const each of pages) census.add(each)
  return census.freshness
}

describe('Census', () => {
  it('foretells the share of the running gap, by importance', () => {
    expect(freshness(counted)).toBeCloseTo(plain, 12)
    const stale = { ...counted, news: 1, importance: 3 }
    expect(freshness(counted, stale)).toBeCloseTo(plain / 4, 12)
    expect(freshness()).toBeNull()
  })

  // By hand: from visit to visit fresh for 1 / rate on the mean, then stale for the delay.
  it('counts a page that waits for the word of a list by how late that comes', () => {
    const share = 1 / (1 + laws.changeRates[law]! * listed.delay)
    expect(freshness({ ...counted, listed })).toBeCloseTo(share, 9)
  })

  it('counts a page that a list says has changed for as much as the list may be wrong', () => {
    expect(freshness({ ...counted, news: 0.9 })).toBeCloseTo(0.1 * plain, 12)
  })

  it('leaves out what is worth nothing, what is out of reach, and what others plan, but not their visits', () => {
    const list = { ...counted, importance: 0 }
    const gone = { ...counted, page: { ...page, gone: 1 } }
    const census = new Census()
    for (const each of [counted, list, gone, { ...counted, belief: null }]) census.add(each)
    expect(census.freshness).toBeCloseTo(plain, 12)
    expect(census.comparisons).toBe(4 * 3)
    expect(census.pages).toBe(2)
    expect(freshness(list)).toBeNull()
  })

  it('counts each visit of a page that its own policy visits every few seconds', () => {
    const lastVisit = { at: now, outcome: 'changed', status: 200 } as const
    const fast = { ...page, lastSeen: now, lastVisit, due: { at: now + 5, reason: '' } }
    const census = new Census()
    census.add({ ...counted, page: fast, belief: null })
    expect(census.plannedByOthers * DAY).toBeCloseTo(17_280, 6)
    expect(runningGap(fast, { shortest: 1 })).toBe(5)
    // By the default it would be a call that passes.
    expect(runningGap(fast)).toBe(60)
  })
})
