import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Declared } from '../../src/model/hint.js'
import type { PageView, Policy } from '../../src/model/policy.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'

export const aView = (more: Partial<PageView> = {}): PageView => ({
  at: 1.7e9,
  visits: 5,
  changes: 2,
  gap: DAY,
  changed: false,
  contentAge: Number.NaN,
  plannedGap: DAY,
  changePeriod: 3 * DAY,
  declared: null,
  random: new Random(1),
  ...more,
})

/** The view after a first visit: nothing planned, nothing known. */
export const firstView = (more: Partial<PageView> = {}): PageView =>
  aView({ visits: 1, changes: 0, gap: 0, plannedGap: 0, changePeriod: 0, ...more })

const duration = fc.double({ min: 1e-3, max: 1e10, noNaN: true })
const declared: fc.Arbitrary<Declared | null> = fc.oneof(
  fc.constant(null),
  fc.constant<Declared>({ kind: 'static' }),
  duration.map((period): Declared => ({ kind: 'periodic', period })),
  fc.option(duration).map((period): Declared => ({ kind: 'nonuniform', period })),
)
const views: fc.Arbitrary<PageView> = fc
  .record({
    visits: fc.integer({ min: 1, max: 1e6 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    gap: duration,
    changed: fc.boolean(),
    contentAge: fc.oneof(fc.constant(Number.NaN), duration),
    plannedGap: duration,
    changePeriod: fc.oneof(fc.constant(0), duration),
    declared,
  })
  .map(({ share, ...view }) => aView({ ...view, changes: Math.floor(share * (view.visits - 1)) }))

/** Everything every policy owes its caller. */
export function describePolicy(policy: Policy): void {
  describe(`${policy.name}, as a policy`, () => {
    it('has a kebab-case name and a summary', () => {
      expect(policy.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(policy.summary.length).toBeGreaterThan(10)
    })

    it('asks for a positive gap, or never, and says why, whatever it sees', () => {
      fc.assert(
        fc.property(fc.oneof(views, fc.constant(firstView())), (view) => {
          const gap = policy.nextGap(view)
          expect(gap).toBeGreaterThan(0)
          const reason = policy.reason(view, gap)
          expect(reason.length).toBeGreaterThan(5)
          expect(reason).not.toMatch(/NaN|undefined|Infinity|null/)
        }),
        { seed: 61 },
      )
    })

    it('gives the same answer for the same view and seed', () => {
      const answer = () => policy.nextGap(aView({ random: new Random(9) }))
      expect(answer()).toBe(answer())
    })
  })
}
