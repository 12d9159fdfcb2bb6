import { describe, expect, it } from 'vitest'
import { boundsAt } from '../../../src/estimators/law/bands.js'
import { lawBounds } from '../../../src/estimators/law/law-bounds.js'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import { m4 } from '../../../src/estimators/law/m3-m5.js'
import { m6 } from '../../../src/estimators/law/m6.js'
import { pageLaw } from '../../../src/estimators/law/page-law.js'
import { resampled } from '../../../src/estimators/law/resampled.js'
import { Random } from '../../../src/numeric/random.js'
import { constant, dailyHistory, exponential, pareto, paretoF, renewalHistory } from './renewal.js'

const bare = ({ start, observations }: ReturnType<typeof renewalHistory>) => ({
  start: { at: start.at },
  observations: observations.map(({ at, gap, changed }) => ({ at, gap, changed })),
})

describe('lawBounds', () => {
  it('hold F_U from above too, and E[U], where visits come near to each other and are many', () => {
    const random = new Random(3)
    const history = bare(
      renewalHistory({ random, update: exponential, gap: exponential, visits: 16_000 }),
    )
    const known = resampled(history, m6, { random, copies: 20 })
    const bounds = lawBounds(known, pageLaw(history))
    if (bounds.kind === 'none') throw new Error(bounds.why)
    expect(bounds.straightTo).toBeGreaterThan(0)
    for (const x of [0.5, 1, 2]) {
      const { low, high } = boundsAt(bounds, x)
      expect(low).toBeLessThan(1 - Math.exp(-x))
      expect(high).toBeGreaterThan(1 - Math.exp(-x))
      expect(high).toBeLessThan(0.99)
    }
    expect(bounds.changePeriod.low).toBeGreaterThan(0.5)
    expect(bounds.changePeriod.low).toBeLessThan(1)
    expect(bounds.changePeriod.high).toBeGreaterThan(1)
    expect(bounds.changePeriod.high).toBeLessThan(1.5)
  })

  it('say nothing from above at equal gaps, and from below what M3 tells', () => {
    const random = new Random(4)
    const history = bare(renewalHistory({ random, update: pareto, gap: constant, visits: 4000 }))
    const bounds = lawBounds(resampled(history, m4, { random, copies: 60 }), pageLaw(history))
    if (bounds.kind === 'none') throw new Error(bounds.why)
    expect(bounds.straightTo).toBeNull()
    expect(bounds.changePeriod.low).toBe(0)
    expect(Array.from(bounds.high).every((high) => high === 1)).toBe(true)
    // Shared oracles: M3's tail at one gap is .185185, so F_U(2) is at least .8148; it is .963.
    const { low } = boundsAt(bounds, 2)
    expect(low).toBeGreaterThan(0.75)
    expect(low).toBeLessThan(0.8148)
    expect(low).toBeLessThan(paretoF(2))
    // E[U] is at most Delta / G(Delta) = 1 / .75; it is .5.
    expect(bounds.changePeriod.high).toBeGreaterThan(1 / 0.75)
    expect(bounds.changePeriod.high).toBeLessThan(1.5)
  })

  it('are the same for the same seed, and none for too few runs', () => {
    const history = renewalHistory({
      random: new Random(5),
      update: pareto,
      gap: exponential,
      visits: 800,
    })
    const make = () =>
      lawBounds(resampled(history, m2, { random: new Random(6), copies: 30 }), pageLaw(history))
    expect(make()).toEqual(make())
    const few = dailyHistory([1, 0, 1, 0])
    expect(lawBounds(resampled(few, m4, { random: new Random(1) }), pageLaw(few))).toEqual({
      kind: 'none',
      why: 'too-few-runs',
    })
  })
})
