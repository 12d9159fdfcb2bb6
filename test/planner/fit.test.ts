import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/model/errors.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { auto, autoWith } from '../../src/planner/posterior/learner.js'
import { openChangeLaw } from '../../src/planner/posterior/posterior.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { fitWeekClock, GapLog } from '../../src/planner/prior/fit-clock.js'
import { fitAutoPrior, type PriorPage } from '../../src/planner/prior/fit-prior.js'
import { changeLawOfGroup, parseAutoPrior } from '../../src/planner/prior/prior.js'
import { historyFromGaps } from '../contracts/estimator.js'

/** Poisson pages visited at even gaps. */
function pages(
  group: string,
  { period, count, seed }: { period: number; count: number; seed: number },
) {
  return Array.from({ length: count }, (_, page): PriorPage => {
    const random = Random.stream({ seed, index: page })
    const gaps = Array.from({ length: 40 }, () =>
      random.uniform() < -Math.expm1(-(2 * DAY) / period) ? 2 * DAY : -2 * DAY,
    )
    return { group, history: historyFromGaps(gaps) }
  })
}
const collection = [
  ...pages('fast', { period: 2 * DAY, count: 40, seed: 3 }),
  ...pages('slow', { period: 60 * DAY, count: 40, seed: 4 }),
]

describe('fitAutoPrior', () => {
  const prior = fitAutoPrior(collection)
  const typical = (group?: string) =>
    autoWith({ law: changeLawOfGroup(prior, group) }).estimate(historyFromGaps([])).changePeriod!

  it('learns what pages of a group are like, and of an unknown one what all are', () => {
    expect(typical('fast')).toBeGreaterThan(1.2 * DAY)
    expect(typical('fast')).toBeLessThan(4 * DAY)
    expect(typical('slow')).toBeGreaterThan(30 * DAY)
    expect(typical('slow')).toBeLessThan(120 * DAY)
    expect(typical('other')).toBe(typical())
    expect(typical()).toBeGreaterThan(typical('fast'))
    expect(typical()).toBeLessThan(typical('slow'))
  })

  it('goes through JSON and comes back', () => {
    expect(parseAutoPrior(JSON.stringify(prior))).toEqual(prior)
  })

  it.each([
    ['{', /perhaps it was cut short\. Write it anew/],
    ['{}', /format/],
    [JSON.stringify({ ...prior, whole: { ...prior.whole, masses: [1] } }), /masses of "whole"/],
    [JSON.stringify({ ...prior, how: 3 }), /"how"/],
    [JSON.stringify({ ...prior, whole: { ...prior.whole, newShare: 1.2 } }), /newShare of "whole"/],
    [JSON.stringify({ ...prior, whole: { ...prior.whole, newShare: '0.2' } }), /newShare/],
    [JSON.stringify({ ...prior, groups: { a: { ...prior.whole, hours: ['x'] } } }), /group "a"/],
  ])('refuses %#', (text, message) => {
    expect(() => parseAutoPrior(text)).toThrow(InputError)
    expect(() => parseAutoPrior(text)).toThrow(message)
  })

  it('reads a prior that says nothing of beginnings', () => {
    const { newShare: _, ...whole } = prior.whole
    const read = parseAutoPrior(JSON.stringify({ ...prior, whole }))
    expect(changeLawOfGroup(read).newShare).toBe(0)
  })

  it('is every law alike where there is nothing to learn from', () => {
    const none = fitAutoPrior([])
    expect(
      none.whole.masses.every((mass) => Math.abs(mass * openChangeLaw.masses.length - 1) < 1e-3),
    ).toBe(true)
  })
})

describe('fitWeekClock', () => {
  // Changes fall only between 9 and 15 h; visits every 5 h meet all hours.
  it('finds the hours in which pages change', () => {
    const log = new GapLog()
    const random = new Random(8)
    const gap = 5 * HOUR
    for (let at = gap; at < 300 * DAY; at += gap) {
      let busy = 0
      for (let t = at - gap; t < at; t += 600) {
        const hour = Math.floor((t % DAY) / HOUR)
        if (hour >= 9 && hour < 15) busy += 600
      }
      const changed = random.uniform() < -Math.expm1(-(4 * busy) / DAY)
      log.note({ at, gap, changed, chance: -Math.expm1(-gap / DAY) })
    }
    const { hours } = fitWeekClock([log], { towards: flatClock, rounds: 40 })
    const inside = hours.slice(9, 15).reduce((a, b) => a + b, 0)
    expect(inside / 24).toBeGreaterThan(0.75)
    expect(hours[3]).toBeLessThan(0.3)
  })

  it('is the clock it is drawn to where nothing was seen', () => {
    const { hours, weekdays } = fitWeekClock([new GapLog()], { towards: flatClock })
    for (const each of [...hours, ...weekdays]) expect(each).toBeCloseTo(1, 12)
  })

  it('keeps an even sample of all gaps in bounded room', () => {
    const log = new GapLog({ room: 100 })
    for (let i = 1; i <= 10_000; i++)
      log.note({ at: i * DAY, gap: DAY, changed: false, chance: 0.5 })
    expect(log.size).toBeLessThanOrEqual(100)
    expect(log.size).toBeGreaterThanOrEqual(50)
    expect(log.columns[1]).toBe(DAY)
    expect(log.columns.at(-3)).toBeGreaterThan(9_000 * DAY)
  })
})

describe('auto', () => {
  it('gives the prior, and says so, before anything was seen', () => {
    const estimate = auto.estimate(historyFromGaps([]))
    expect(estimate.verdict).toBe('prior-only')
    expect(estimate.changePeriod).toBeGreaterThan(DAY)
  })

  it.each([
    [[-DAY, -DAY], 'no-change-seen'],
    [[DAY, DAY], 'always-changed'],
    [[DAY, -DAY], 'ok'],
  ])('tells how far to trust %j', (gaps, verdict) => {
    expect(auto.estimate(historyFromGaps(gaps)).verdict).toBe(verdict)
  })

  it('has masses and speeds that are a law', () => {
    expect(defaultChangeLaw.masses.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 2)
    expect(defaultChangeLaw.clock.weekdays.every((speed) => speed > 0)).toBe(true)
  })
})
