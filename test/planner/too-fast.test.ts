import { describe, expect, it } from 'vitest'
import type { PageRecord } from '../../src/model/page.js'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { reasonByHand } from '../../src/planner/collection/replan.js'
import { isTooFast, valueWords } from '../../src/planner/price-reason.js'
import { policyOf } from '../../src/planner/registry.js'
import { dueWithin, parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { aView } from '../contracts/policy.js'

const page = {
  changes: 3,
  failing: 0,
  gone: 0,
  lastVisit: { at: 1e9 } as PageRecord['lastVisit'],
  due: {
    at: 1e9 + DAY,
    reason: 'changed at the last visit; value 1.0x the price of a request',
  } as PageRecord['due'],
}

const now = 1e9 + HOUR
const isTooFastNow = (each: typeof page, changePeriod: number | null) =>
  isTooFast(each, { changePeriod, now })

it('is a page that is left for many of its own changes, of which several were seen', () => {
  expect(isTooFastNow(page, 5 * MINUTE)).toBe(true)
  expect(isTooFastNow(page, DAY / 10)).toBe(false)
  expect(isTooFastNow({ ...page, changes: 2 }, 5 * MINUTE)).toBe(false)
})

it('is none that is due, failed, is gone, or is never due', () => {
  expect(isTooFastNow({ ...page, due: { ...page.due, at: now } }, 5 * MINUTE)).toBe(false)
  expect(isTooFastNow({ ...page, failing: 1 }, 5 * MINUTE)).toBe(false)
  expect(isTooFastNow({ ...page, gone: 1 }, 5 * MINUTE)).toBe(false)
  expect(isTooFastNow({ ...page, due: { at: 'never', reason: '' } }, 5 * MINUTE)).toBe(false)
  expect(isTooFastNow({ ...page, lastVisit: null }, 5 * MINUTE)).toBe(false)
  expect(isTooFastNow(page, null)).toBe(false)
})

describe('by what it waits', () => {
  const waitsBy = (reason: string) =>
    isTooFastNow({ ...page, due: { ...page.due, reason } }, 5 * MINUTE)
  const about = { wanted: DAY, minGap: 0, maxGap: 90 * DAY, objective: 'freshness' } as const

  it('is the price, also where its longest gap keeps it from waiting longer', () => {
    expect(waitsBy(`new; ${valueWords(1.04, about)}`)).toBe(true)
    expect(waitsBy(valueWords(0.2, { ...about, maxGap: HOUR }))).toBe(true)
  })

  it('is not the price where visits are for more than freshness: they find a change each time', () => {
    for (const objective of ['delay', 'changes-caught'] as const) {
      expect(waitsBy(valueWords(12, { ...about, objective }))).toBe(false)
      expect(waitsBy(valueWords(0.2, { ...about, objective, maxGap: HOUR }))).toBe(false)
    }
  })

  it('is not the price but its shortest gap, a hint or its hours', () => {
    expect(waitsBy(valueWords(3, { ...about, minGap: 2 * DAY }))).toBe(false)
    expect(waitsBy(`${valueWords(1, about)}; its sitemap says when it changes`)).toBe(false)
    const hours = parseAllowedHours('sat 8-9')
    const due = dueWithin({ at: 1e9, reason: valueWords(1, about) }, hours)
    expect(due.at).toBeGreaterThan(1e9)
    expect(waitsBy(due.reason)).toBe(false)
  })

  it('is not the price but another policy, a person or its server', () => {
    expect(waitsBy(policyOf('fixed:gap=1d').reason(aView({}), DAY))).toBe(false)
    expect(waitsBy(reasonByHand('next week'))).toBe(false)
    expect(waitsBy('the server asked to come back later; tried again after 24 hours')).toBe(false)
  })
})
