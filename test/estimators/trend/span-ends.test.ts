import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changeRateBetween,
  changeRateByMonth,
} from '../../../src/estimators/trend/change-rate-between.js'
import { updatePoints } from '../../../src/estimators/trend/update-points.js'
import type { History } from '../../../src/model/history.js'
import { DAY } from '../../../src/model/units.js'

const begin = Date.parse('2023-12-01T00:00:00Z') / 1000

describe('the ends of a span', () => {
  it('count a change in the second of a date to the gap before it', () => {
    // By hand: the visit at 10 tells of a change in that very second.
    const reported: History = {
      start: { at: 0 },
      observations: [
        { at: 10, gap: 10, changed: true, contentAge: 0 },
        { at: 20, gap: 10, changed: false },
      ],
    }
    expect(changeRateBetween(reported, { from: 0, to: 10 })).toMatchObject({
      updates: 1,
      verdict: 'always-changed',
    })
    expect(changeRateBetween(reported, { from: 10, to: 20 })).toMatchObject({
      updates: 0,
      verdict: 'no-update',
    })
  })

  // Visits and told changes at midnights, so that many lie on the first second of a month.
  const visit = fc.record({
    days: fc.integer({ min: 1, max: 40 }),
    changed: fc.boolean(),
    ageInDays: fc.option(fc.integer({ min: 0, max: 3 })),
    unchanged: fc.boolean(),
  })
  const histories = fc
    .tuple(fc.integer({ min: 0, max: 30 }), fc.array(visit, { minLength: 1, maxLength: 30 }))
    .map(([late, visits]): History => {
      const start = { at: begin + late * DAY }
      let { at } = start
      const observations = visits.map(({ days, changed, ageInDays, unchanged }) => {
        at += days * DAY
        const reported = ageInDays === null ? {} : { contentAge: ageInDays * DAY }
        const quiet = unchanged && days > 1 ? { unchangedFor: DAY } : {}
        return { at, gap: days * DAY, changed, ...reported, ...quiet }
      })
      return { start, observations }
    })

  it('give each update to one month, and no month with one says that there was none', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const months = changeRateByMonth(history)
        const total = months.reduce((sum, { updates }) => sum + updates, 0)
        expect(total).toBe(updatePoints(history).points.length)
        for (const { updates, verdict } of months)
          if (updates > 0) expect(['ok', 'always-changed']).toContain(verdict)
      }),
      { seed: 73 },
    )
  })

  it('keep a count and its verdict together from any visit on', () => {
    const days = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 100 }))
    fc.assert(
      fc.property(histories, days, (history, [visit, more]) => {
        const from = history.observations[visit % history.observations.length]!.at
        const { updates, verdict } = changeRateBetween(history, { from, to: from + more * DAY })
        expect(verdict === 'ok' || verdict === 'always-changed').toBe(updates > 0)
      }),
      { seed: 74 },
    )
  })
})
