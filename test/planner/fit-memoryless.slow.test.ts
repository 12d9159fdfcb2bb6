import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { fitAutoPrior } from '../../src/planner/prior/fit-prior.js'
import { priorSummary } from '../../src/planner/prior/prior.js'
import { memorylessPages } from '../fixtures/memoryless-pages.js'

describe('a prior fitted on 89,000 comparisons of pages that change at random', () => {
  it.each([
    [48 * HOUR, DAY],
    [2 * HOUR, 6 * HOUR],
    [2 * HOUR, HOUR],
    [80 * HOUR, DAY],
    [30 * DAY, DAY],
  ])('of period %s, visited every %s or so, has that period and no rhythm', (period, gap) => {
    const pages = memorylessPages({ period, gap, pages: 500, visits: 178, seed: 7 })
    expect(pages.reduce((sum, { history }) => sum + history.observations.length, 0)).toBe(89_000)
    const { whole } = fitAutoPrior(pages, { towards: { ...defaultChangeLaw, clock: flatClock } })
    const { medianPeriod, steadyShare, weekdays } = priorSummary(whole)
    expect(Math.abs(medianPeriod / period - 1)).toBeLessThan(0.15)
    expect(steadyShare).toBeGreaterThan(0.9)
    expect(weekdays.every(({ speed }) => speed === 1)).toBe(true)
    for (const { low, high } of whole.evidence!.weekdays) {
      expect(low).toBeLessThan(1)
      expect(high).toBeGreaterThan(1)
    }
  })
})
