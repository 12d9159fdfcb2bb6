import { describe, expect, it } from 'vitest'
import { logLosses, Relearning } from '../../src/lab/evaluate/prediction-scores.js'

const forecast = (before: number, chance: number, changed: boolean) => ({
  page: 0,
  at: before,
  before,
  chance,
  changed,
})

describe('logLosses', () => {
  // By hand: -ln 0.5 and -ln 0.75 among the first ten, -ln 0.2 after them.
  it('takes the chance of what was seen, the first ten apart', () => {
    const given = [forecast(0, 0.5, true), forecast(9, 0.25, false), forecast(10, 0.2, true)]
    const { firstTen, later, logLoss, observations } = logLosses(given)
    expect(firstTen).toBeCloseTo((Math.log(2) + Math.log(4 / 3)) / 2, 12)
    expect(later).toBeCloseTo(Math.log(5), 12)
    expect(logLoss).toBeCloseTo((Math.log(2) + Math.log(4 / 3) + Math.log(5)) / 3, 12)
    expect(observations).toBe(3)
  })

  // By hand: a chance of 0 is taken for one in a thousand.
  it('stays finite when the impossible is seen, and without observations', () => {
    expect(logLosses([forecast(0, 0, true)]).logLoss).toBeCloseTo(Math.log(1000), 12)
    expect(logLosses([forecast(0, 1, false)]).logLoss).toBeCloseTo(Math.log(1000), 12)
    expect(logLosses([])).toEqual({ logLoss: 0, firstTen: 0, later: 0, observations: 0 })
  })
})

describe('Relearning', () => {
  // By hand: each day half as late again, rounded up.
  it('comes after a day and then ever more seldom', () => {
    const relearning = new Relearning()
    const days = Array.from({ length: 100 }, (_, day) => day)
    expect(days.filter((day) => relearning.isTime(day))).toEqual([
      1, 2, 3, 5, 8, 12, 18, 27, 41, 62, 93,
    ])
  })
})
