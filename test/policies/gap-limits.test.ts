import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, YEAR } from '../../src/model/units.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { withHints } from '../../src/planner/evidence/with-hints.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { policyKinds, policyOf } from '../../src/planner/registry.js'
import { gapAtPrice } from '../../src/planner/value/planned-page.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { type GapLimits, heldLimits, limited } from '../../src/policies/limits.js'
import { aView, firstView } from '../contracts/policy.js'
import { aPoissonPage } from '../fixtures/a-posterior.js'

const gap = fc.double({ min: 1, max: 3 * YEAR, noNaN: true })
const views = fc.oneof(
  fc.constant(firstView()),
  fc.record({ changePeriod: gap, plannedGap: gap, gap, changed: fc.boolean() }).map(aView),
)
const price = fc.double({ min: 1, max: 1000 * DAY, noNaN: true })

describe('the shortest gap', () => {
  it('is kept by the default and by its plans, whatever longest gap there is', () => {
    fc.assert(
      fc.property(gap, fc.option(gap), price, views, (minGap, longest, cost, view) => {
        const limits = longest === null ? { minGap } : { minGap, maxGap: longest }
        expect(autoPolicy({ ...limits, price: cost }).nextGap(view)).toBeGreaterThanOrEqual(minGap)
        const posterior = aPoissonPage(0)
        const page = { host: 'h', importance: 1, at: view.at, posterior, clock: flatClock, limits }
        const planned = gapAtPrice({ ...page, ownGap: null }, { price: cost, objective: 'delay' })
        expect(planned).toBeGreaterThanOrEqual(minGap)
      }),
      { seed: 11 },
    )
  })

  it('is kept by every other policy that limits hold, hints or not', () => {
    const policies = policyKinds.map(({ name }) => policyOf(name))
    const each = fc.constantFrom(...policies, ...policies.map(withHints))
    fc.assert(
      fc.property(each, gap, fc.option(gap), views, (policy, minGap, longest, view) => {
        const held = limited(policy, longest === null ? { minGap } : { minGap, maxGap: longest })
        const chosen = held.nextGap(view)
        expect(chosen).toBeGreaterThanOrEqual(minGap)
        expect(held.moved?.(view, chosen)?.gap ?? chosen).toBeGreaterThanOrEqual(minGap)
        expect(held.minGap).toBe(minGap)
      }),
      { seed: 12 },
    )
  })
})

describe('heldLimits', () => {
  it.each<[GapLimits, Required<GapLimits>]>([
    [{}, { minGap: 10 * MINUTE, maxGap: 90 * DAY }],
    [{ minGap: 200 * DAY }, { minGap: 200 * DAY, maxGap: 200 * DAY }],
    [{ maxGap: 5 * MINUTE }, { minGap: 5 * MINUTE, maxGap: 5 * MINUTE }],
    [
      { minGap: 2 * HOUR, maxGap: HOUR },
      { minGap: 2 * HOUR, maxGap: 2 * HOUR },
    ],
    [
      { minGap: HOUR, maxGap: 2 * HOUR },
      { minGap: HOUR, maxGap: 2 * HOUR },
    ],
  ])('of %j are %j', (given, held) => {
    expect(heldLimits(given)).toEqual(held)
  })
})

describe('the reason of a policy that limits hold', () => {
  const why = (own: number, limits: GapLimits) => {
    const policy = limited(fixed({ gap: own }), limits)
    return policy.reason(aView(), policy.nextGap(aView()))
  }

  it('says which of them did', () => {
    const limits = { minGap: HOUR, maxGap: DAY }
    expect(why(MINUTE, limits)).toMatch(/, no sooner than allowed$/)
    expect(why(2 * DAY, limits)).toMatch(/, no later than allowed$/)
    expect(why(2 * HOUR, limits)).not.toMatch(/allowed/)
    expect(why(MINUTE, { minGap: HOUR, maxGap: HOUR })).toMatch(/, as its limits set it$/)
  })

  it('names no limit where a page is never visited again and none is set', () => {
    const never = { ...fixed(), nextGap: () => Infinity }
    expect(limited(never, { minGap: HOUR }).reason(aView(), Infinity)).not.toMatch(/allowed/)
  })
})
