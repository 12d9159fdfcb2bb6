import { describe, expect, it } from 'vitest'
import type { Observation } from '../../src/model/history.js'
import { DAY, HOUR, type Seconds } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { freshWithFixedGap } from '../../src/planner/collection/page-posterior.js'
import { AutoPlanners } from '../../src/planner/collection/planners.js'
import { evenFreshness } from '../../src/policies/allocation/freshness.js'
import { pageAfter } from '../fixtures/page-after.js'

const start = 1_700_000_000
const planners = new AutoPlanners()

/** Visits at an even gap to a page that changes by chance, at any hour alike. */
function visits(period: Seconds, gap: Seconds): Observation[] {
  const random = new Random(7)
  return Array.from({ length: 120 }, (_, at) => ({
    at: start + (at + 1) * gap,
    gap,
    changed: random.uniform() < -Math.expm1(-gap / period),
  }))
}

describe('a page on a fixed schedule', () => {
  const every = 12 * HOUR
  const seen = visits(36 * HOUR, every)
  const page = pageAfter(seen, { planners, start })
  const now = page.lastSeen! + HOUR
  const unchangedShare = seen.filter(({ changed }) => !changed).length / seen.length
  const changeRate = -Math.log(unchangedShare) / every

  // Far beyond the gap at which it was looked at, bursts that it never showed are thought possible.
  it.each([6 * HOUR, 12 * HOUR, DAY])('is as fresh as a Poisson page at a gap of %i s', (gap) => {
    const wanted = evenFreshness({ changeRate, visitRate: 1 / gap })
    const share = freshWithFixedGap(page, { planners, now, gap })!
    expect(Math.abs(share - wanted)).toBeLessThan(0.06)
  })

  it('is asked for at any hour: when the question is put changes little', () => {
    const shares = [0, 5, 40, 90].map(
      (hours) => freshWithFixedGap(page, { planners, now: now + hours * HOUR, gap: DAY })!,
    )
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(0.02)
  })

  it('has no copy before it was seen, and no posterior where another policy follows it', () => {
    const by = { planners, now, gap: DAY }
    expect(freshWithFixedGap({ ...page, lastSeen: null }, by)).toBeNull()
    const state = { learner: 'nutch/none', numbers: new Float64Array(3) }
    expect(freshWithFixedGap({ ...page, state }, by)).toBeNull()
  })
})
