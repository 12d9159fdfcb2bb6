import { describe, expect, it } from 'vitest'
import type { PageView } from '../../src/model/policy.js'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { reasonByHand } from '../../src/planner/collection/replan.js'
import { type AutoPolicyOptions, autoPolicy } from '../../src/planner/policy.js'
import { isTooFast, tooFastWords, valueWords } from '../../src/planner/price-reason.js'
import { policyOf } from '../../src/planner/registry.js'
import { dueWithin, parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { aView } from '../contracts/policy.js'

/** A page that has been found changed at each of many visits. */
const fast: PageView = { ...aView({ changePeriod: 5 * MINUTE }), visits: 20, changes: 19 }

/** The gap of a page and its reason, unstaggered. */
function planned(view: PageView, options: AutoPolicyOptions) {
  const policy = autoPolicy({ stagger: 0, ...options })
  const gap = policy.nextGap(view)
  return { gap, reason: policy.reason(view, gap) }
}

describe('a page that changes too fast for its copy to be kept fresh', () => {
  it.each([HOUR, 6 * HOUR, 2 * DAY])(
    'is visited all the same, every 30 prices of %i s',
    (price) => {
      const { gap, reason } = planned(fast, { price })
      expect(gap).toBe(30 * price)
      expect(reason).toMatch(new RegExp(`almost surely changed again in .*; ${tooFastWords}$`))
    },
  )

  it('is visited more often where it counts more, and within its limits', () => {
    const price = 6 * HOUR
    expect(planned(fast, { price, importance: 3 }).gap).toBe(10 * price)
    expect(planned(fast, { price, maxGap: DAY })).toMatchObject({
      gap: DAY,
      reason: expect.stringMatching(/none waits longer$/),
    })
    expect(planned(fast, { price: HOUR, minGap: 3 * DAY }).gap).toBe(3 * DAY)
  })

  it('is not said to wait for its price alone where no sooner is allowed', () => {
    const held = planned(fast, { price: HOUR, minGap: 3 * DAY })
    expect(held.reason).toContain(tooFastWords)
    const due = { at: now + held.gap, reason: held.reason }
    expect(isTooFast({ ...page, due }, now)).toBe(false)
  })

  it('is no page that can be followed, or hardly changes', () => {
    const price = 6 * HOUR
    for (const changePeriod of [5 * DAY, 40 * DAY, 1e5 * DAY]) {
      const { reason } = planned({ ...fast, changePeriod }, { price })
      expect(reason).not.toMatch(tooFastWords)
    }
    expect(planned({ ...fast, changePeriod: 1e5 * DAY }, { price }).gap).toBeGreaterThan(30 * price)
  })

  it('is followed where visits are for more than freshness: they find a change each time', () => {
    expect(planned(fast, { objective: 'delay', price: 6 * HOUR }).reason).not.toMatch(tooFastWords)
    expect(planned(fast, { objective: 'changes-caught', price: 0.2 }).reason).not.toMatch(
      tooFastWords,
    )
  })
})

const now = 1e9 + HOUR
const page = { changes: 3, due: { at: 1e9 + DAY, reason: `changed; ${tooFastWords}` } }

describe('a page is shown as too fast to follow', () => {
  it('where it waits for that, and several changes were seen', () => {
    expect(isTooFast(page, now)).toBe(true)
    expect(isTooFast({ ...page, changes: 2 }, now)).toBe(false)
    expect(isTooFast({ ...page, due: { ...page.due, at: now } }, now)).toBe(false)
    expect(isTooFast({ ...page, due: { at: 'never', reason: tooFastWords } }, now)).toBe(false)
  })

  it('and not where anything else set the time', () => {
    const waitsBy = (reason: string) => isTooFast({ ...page, due: { ...page.due, reason } }, now)
    const about = { wanted: DAY, minGap: 0, maxGap: 90 * DAY, objective: 'freshness' } as const
    expect(waitsBy(valueWords(1.04, about))).toBe(false)
    expect(waitsBy(`${tooFastWords}; its sitemap says when it changes`)).toBe(false)
    const due = dueWithin({ at: 1e9, reason: tooFastWords }, parseAllowedHours('sat 8-9'))
    expect(due.at).toBeGreaterThan(1e9)
    expect(waitsBy(due.reason)).toBe(false)
    expect(waitsBy(policyOf('fixed:gap=1d').reason(aView({}), DAY))).toBe(false)
    expect(waitsBy(reasonByHand('next week'))).toBe(false)
    expect(waitsBy('the server asked to come back later; tried again after 24 hours')).toBe(false)
  })
})
