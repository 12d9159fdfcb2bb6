import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Claim, HintKind, WeighedHint } from '../../src/model/hint.js'
import type { PageView } from '../../src/model/policy.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { withHints } from '../../src/planner/evidence/with-hints.js'
import { policyOf } from '../../src/planner/registry.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { grimesFord } from '../../src/policies/grimes-ford.js'

const view: PageView = {
  at: 1.7e9,
  visits: 30,
  changes: 4,
  gap: DAY,
  changed: true,
  contentAge: Number.NaN,
  plannedGap: DAY,
  changePeriod: 3 * DAY,
  declared: null,
  random: new Random(1),
}
const hint = (claim: Claim, more: Partial<WeighedHint> = {}): WeighedHint => ({
  kind: 'meta',
  claim,
  reportedAt: 1.7e9,
  reliability: 0.95,
  trusted: true,
  tally: { predicted: 20, right: 18, changed: 9, lead: 3 },
  ...more,
})
const every = (period: number): Claim => ({
  says: 'declared',
  declared: { kind: 'periodic', period },
})
const moved = (reported: readonly WeighedHint[], { gap = 4 * DAY, allowance = 1 } = {}) =>
  withHints(fixed({ gap })).moved!({ ...view, hints: { reported, allowance } }, gap)

describe('withHints', () => {
  it('is asked for by name, around any policy, once', () => {
    const policy = policyOf('with-hints(grimes-ford:factor=0.8)')
    expect(policy.name).toBe('with-hints(grimes-ford)')
    expect(policy.learner).toBe('irregular-mle:prior=fitted')
    expect(withHints(policy).name).toBe('with-hints(grimes-ford)')
    expect(policy.nextGap(view)).toBe(grimesFord({ factor: 0.8 }).nextGap(view))
  })

  // By hand: 4 days drawn to 1 day with weight 2 x 0.95 - 1 = 0.9: 4 / 4^0.9 = 1.149 days.
  it('draws the gap towards a trusted period', () => {
    expect(moved([hint(every(DAY))])!.gap / DAY).toBeCloseTo(1.1487, 4)
    expect(moved([hint(every(DAY))])!.why).toContain('right 18 of 20 times')
    expect(moved([hint(every(DAY), { trusted: false })])).toBeNull()
    expect(moved([])).toBeNull()
  })

  it('goes no further than a quarter and twice, and no earlier than may be wasted', () => {
    expect(moved([hint(every(60))])!.gap).toBe(DAY)
    expect(moved([hint(every(900 * DAY))])!.gap).toBe(8 * DAY)
    expect(moved([hint(every(60))], { allowance: 0.1 })!.gap).toBeCloseTo(3.6 * DAY, 6)
    expect(moved([hint(every(60))], { allowance: 0 })).toBeNull()
  })

  it('waits longer for what does not change, is cached, or has a list that tells', () => {
    expect(moved([hint({ says: 'declared', declared: { kind: 'static' } })])!.gap).toBe(8 * DAY)
    expect(moved([hint({ says: 'fresh-for', duration: 5 * DAY })])!.gap).toBe(5 * DAY)
    expect(moved([hint({ says: 'fresh-for', duration: DAY })])).toBeNull()
    const date: Claim = { says: 'changed-at', at: 1.6e9 }
    expect(moved([hint(date, { kind: 'sitemap' })])!.gap).toBe(8 * DAY)
    expect(moved([hint(date, { kind: 'last-modified' })])).toBeNull()
  })

  it('lets the most reliable speak that has something to say', () => {
    const date = hint({ says: 'changed-at', at: 1 }, { kind: 'last-modified', reliability: 0.99 })
    const loud = hint(every(60), { reliability: 0.8 })
    expect(moved([date, loud, hint(every(8 * DAY))])!.gap).toBeGreaterThan(4 * DAY)
  })

  it('gives a positive gap within bounds for any hint', () => {
    const number = fc.double({ min: 0, noNaN: true })
    const claim: fc.Arbitrary<Claim> = fc.oneof(
      number.map(every),
      number.map((duration) => ({ says: 'fresh-for' as const, duration })),
      fc.double().map((at) => ({ says: 'changed-at' as const, at })),
    )
    const kind = fc.constantFrom<HintKind>('meta', 'sitemap', 'feed', 'cache', 'last-modified')
    const positive = fc.double({ min: 1e-3, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(
        claim,
        kind,
        positive,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (printed, of, gap, r) => {
          const shifted = moved([hint(printed, { kind: of, reliability: r })], {
            gap,
            allowance: r,
          })
          if (shifted === null) return
          expect(shifted.gap).toBeGreaterThanOrEqual(0.25 * gap * (1 - 1e-9))
          expect(shifted.gap).toBeLessThanOrEqual(2 * gap)
        },
      ),
      { seed: 4, numRuns: 500 },
    )
  })
})
