import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import {
  calendarMonths,
  changeRateBetween,
  changeRateByMonth,
} from '../../../src/estimators/trend/change-rate-between.js'
import { OptionError } from '../../../src/model/errors.js'
import type { History } from '../../../src/model/history.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { historyOfVisits } from './series.js'

const changed = { changed: true }
const same = { changed: false }
const utc = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

describe('changeRateBetween', () => {
  // By hand: visits at 1..20, changes seen at 2, 4, ..., 14, in the middles 1.5, 3.5, ..., 13.5.
  const history = historyOfVisits(
    Array.from({ length: 20 }, (_, i) => (i % 2 === 1 && i < 14 ? changed : same)),
  )

  it('is the most likely rate for the gaps between the dates, with the bounds of the likelihood', () => {
    const answer = changeRateBetween(history, { from: 5, to: 15 })
    // Shared oracles, Grimes & Ford at equal gaps: ln(1 + L / K) / t, here with 5 of 10 changed.
    expect(answer).toMatchObject({ updates: 5, watched: 10, verdict: 'ok' })
    expect(answer.changeRate).toBeCloseTo(Math.LN2, 12)
    // By hand: at a bound 5 ln(1 - e^-r) - 5 r is 3.8415 / 2 below its peak, 10 ln(1/2).
    for (const rate of [answer.bounds!.low, answer.bounds!.high!])
      expect(5 * Math.log(-Math.expm1(-rate)) - 5 * rate).toBeCloseTo(
        10 * Math.log(0.5) - 3.841458820694124 / 2,
        9,
      )
    expect(answer.bounds!.level).toBe(0.95)
  })

  it('agrees with the estimate of the whole history, however far apart the visits', () => {
    const whole = changeRateBetween(history, { from: -100, to: 100 })
    const { changeRate, bounds } = irregularMle.estimate(history)
    expect(whole).toMatchObject({ changeRate, bounds })
  })

  it('gives a lower bound alone where every gap saw a change', () => {
    const always = historyOfVisits(Array.from({ length: 9 }, () => changed))
    const answer = changeRateBetween(always, { from: -100, to: 100 })
    expect(answer).toMatchObject({ changeRate: null, verdict: 'always-changed', updates: 9 })
    expect(answer.bounds).toEqual(irregularMle.estimate(always).bounds)
  })

  it('cuts gaps at the dates: a change counts on the side of its point', () => {
    // By hand: 1.5 lies in the gap from 1 to 2. Of it (1, 1.75] changed, (1.75, 2] did not.
    const before = changeRateBetween(history, { from: 0, to: 1.75 })
    expect(before).toMatchObject({ updates: 1, watched: 1.75 })
    expect(before.changeRate).toBeCloseTo(Math.log1p(0.75 / 1) / 0.75, 9)
    expect(changeRateBetween(history, { from: 1.75, to: 3 })).toMatchObject({
      updates: 0,
      watched: 1.25,
    })
  })

  it('gives 0 and an upper bound where nothing changed', () => {
    const answer = changeRateBetween(history, { from: 15, to: 20 })
    expect(answer).toMatchObject({ changeRate: 0, verdict: 'no-update', bounds: { low: 0 } })
    // By hand: -ln(0.025) / 5.
    expect(answer.bounds!.high).toBeCloseTo(-Math.log(0.025) / 5, 10)
  })

  it('counts only time that was watched', () => {
    const holes: History = {
      start: { at: 0 },
      observations: [
        { at: 10, gap: 10, changed: true, contentAge: 2 },
        { at: 30, gap: 5, changed: true },
      ],
    }
    expect(changeRateBetween(holes, { from: 5, to: 40 })).toMatchObject({
      watched: 10,
      updates: 2,
      verdict: 'always-changed',
    })
    expect(changeRateBetween(holes, { from: 12, to: 20 })).toMatchObject({
      changeRate: null,
      bounds: null,
      verdict: 'not-watched',
    })
  })

  it('says how many updates may lie on the other side of a date', () => {
    // By hand: 3.5 lies in the gap from 3 to 4, which a span from 3.2 cuts.
    expect(changeRateBetween(history, { from: 3.2, to: 7 }).uncertainUpdates).toBe(1)
    expect(changeRateBetween(history, { from: 3, to: 7 }).uncertainUpdates).toBe(0)
  })

  it('adds up: the parts hold the updates and the time of the whole', () => {
    const cuts = fc.uniqueArray(fc.double({ min: -3, max: 23, noNaN: true }), {
      minLength: 3,
      maxLength: 3,
    })
    fc.assert(
      fc.property(cuts, (some) => {
        const [a, b, c] = some.sort((x, y) => x - y) as [number, number, number]
        const [left, right] = [
          { from: a, to: b },
          { from: b, to: c },
        ].map((span) => changeRateBetween(history, span))
        const whole = changeRateBetween(history, { from: a, to: c })
        expect(left!.updates + right!.updates).toBe(whole.updates)
        expect(left!.watched + right!.watched).toBeCloseTo(whole.watched, 9)
      }),
      { seed: 71 },
    )
  })

  it('refuses dates in the wrong order and a level of 2', () => {
    expect(() => changeRateBetween(history, { from: 5, to: 5 })).toThrow(OptionError)
    expect(() => changeRateBetween(history, { from: 5, to: Number.NaN })).toThrow(OptionError)
    expect(() => changeRateBetween(history, { from: 5, to: 6, level: 2 })).toThrow(OptionError)
  })
})

describe('calendar months', () => {
  it('are those of the calendar, leap years too', () => {
    const months = calendarMonths({ from: utc('2023-12-15'), to: utc('2024-03-01') })
    expect(months.map(({ year, month }) => [year, month])).toEqual([
      [2023, 12],
      [2024, 1],
      [2024, 2],
    ])
    expect((months[2]!.to - months[2]!.from) / DAY).toBe(29)
    expect(months[0]).toMatchObject({ from: utc('2023-12-01'), to: utc('2024-01-01') })
  })

  it('begin at local midnight on demand', () => {
    const span = { from: utc('2024-01-31') + 23 * HOUR, to: utc('2024-02-02') }
    expect(calendarMonths(span).map(({ month }) => month)).toEqual([1, 2])
    const ahead = calendarMonths(span, { utcOffset: 2 * HOUR })
    expect(ahead.map(({ month }) => month)).toEqual([2])
    expect(ahead[0]!.from).toBe(utc('2024-02-01') - 2 * HOUR)
  })

  it('refuse times outside the calendar', () => {
    expect(() => calendarMonths({ from: 0, to: 1e300 })).toThrow(OptionError)
  })

  // 1,840 daily visits: one day of 2019, five years (two of them leap), 12 days of 2025. In January
  // of the k-th year the page changes on its first 4k days.
  const start = utc('2019-12-31')
  const history: History = {
    start: { at: start },
    observations: Array.from({ length: 1840 }, (_, i) => {
      const at = start + (i + 1) * DAY
      const date = new Date((at - DAY / 2) * 1000)
      const january = date.getUTCMonth() === 0
      const busy = date.getUTCDate() <= 4 * (date.getUTCFullYear() - 2019)
      return { at, gap: DAY, changed: january && busy }
    }),
  }

  it('are answered one by one', () => {
    const months = changeRateByMonth(history)
    expect(months).toHaveLength(62)
    const february = months.find(({ year, month }) => year === 2021 && month === 2)!
    expect(february).toMatchObject({ verdict: 'no-update', watched: 28 * DAY })
  })
})
