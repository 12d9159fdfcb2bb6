import { describe, expect, it } from 'vitest'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import { pageLaw } from '../../../src/estimators/law/page-law.js'
import { resampled } from '../../../src/estimators/law/resampled.js'
import { staleness } from '../../../src/estimators/law/staleness.js'
import type { History } from '../../../src/model/history.js'
import { Random } from '../../../src/numeric/random.js'
import { constant, dailyHistory, exponential, pareto, renewalHistory } from './renewal.js'

const seen = (update: typeof pareto, gap: typeof pareto, visits: number) =>
  renewalHistory({ random: new Random(9), update, gap, visits })
const bare = ({ observations }: ReturnType<typeof renewalHistory>) => ({
  start: { at: 0 },
  observations: observations.map(({ contentAge: _, ...each }) => each),
})
const at = (history: History, gap: number) => {
  const page = pageLaw(history)
  return staleness(page, {
    gap,
    known: resampled(history, page.method, { random: new Random(2), copies: 40 }),
  })
}

describe('staleness', () => {
  it('of Poisson updates is 1 - (1 - e^-gap) / gap, and gap / 2 updates behind', () => {
    const found = at(seen(exponential, exponential, 3000), 1.5)
    expect(Math.abs(found.stale.value! - (1 - (1 - Math.exp(-1.5)) / 1.5))).toBeLessThan(0.03)
    expect(Math.abs(found.changedByVisit.value! - (1 - Math.exp(-1.5)))).toBeLessThan(0.03)
    expect(Math.abs(found.updatesBehind.value! - 0.75)).toBeLessThan(0.1)
    for (const { value, low } of [found.stale, found.changedByVisit, found.updatesBehind])
      expect(low!).toBeLessThan(value!)
  })

  it("of the paper's Pareto updates is 1/2 at a gap of 1: the integral of 1 - (1+t)^-2 is 1 - 1/2", () => {
    const found = at(seen(pareto, exponential, 6000), 1)
    expect(Math.abs(found.stale.value! - 0.5)).toBeLessThan(0.03)
    // E[U] = 1/2: one update behind on average.
    expect(Math.abs(found.updatesBehind.value! - 1)).toBeLessThan(0.25)
  })

  it('at equal gaps is bounded by concavity alone, and updates behind from below', () => {
    const found = at(bare(seen(pareto, constant, 4000)), 1)
    // G(1) = .75 and G(2) = .8889: between .75 / 2 and .75 - .1389 / 2 = .6806; the truth is .5.
    expect(found.stale.low!).toBeLessThan(0.375)
    expect(found.stale.low!).toBeGreaterThan(0.3)
    expect(found.stale.high!).toBeGreaterThan(0.68)
    expect(found.stale.high!).toBeLessThan(0.74)
    expect(found.updatesBehind.value).toBeNull()
    expect(found.updatesBehind.high).toBeNull()
    // At least G(1) / 2 = .375; the truth is 1.
    expect(found.updatesBehind.low!).toBeGreaterThan(0.3)
    expect(found.updatesBehind.low!).toBeLessThan(0.376)
  })

  it('below the gap of the visits may be what the gap hides', () => {
    const found = at(bare(seen(pareto, constant, 4000)), 0.5)
    // The mean of 1 - (1+t)^-2 up to a half is 1/3; a line from 0 to .75 at 1 would have .1875.
    expect(found.stale.low!).toBeLessThan(0.19)
    expect(found.stale.high!).toBeGreaterThan(1 / 3)
  })

  it('has no numbers without a change, and refuses a gap of nothing', () => {
    const none = dailyHistory([0, 0, 0, 0])
    const page = pageLaw(none)
    const known = resampled(none, m2, { random: new Random(1) })
    expect(staleness(page, { gap: 1, known }).updatesBehind.value).toBeNull()
    expect(() => staleness(page, { gap: 0, known })).toThrow(
      expect.objectContaining({ code: 'bad-gap' }),
    )
  })
})
