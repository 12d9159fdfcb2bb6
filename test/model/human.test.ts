import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { humanDuration, humanPeriod, humanTime } from '../../src/model/duration.js'
import { DAY, HOUR, YEAR } from '../../src/model/units.js'

describe('humanDuration', () => {
  it.each([
    [0, '0 seconds'],
    [0.25, '0.25 seconds'],
    [0.01, '0.01 seconds'],
    [0.001, '1 millisecond'],
    [0.00099999, '1 millisecond'],
    [0.0042, '4.2 milliseconds'],
    [2e-5, '0.02 milliseconds'],
    [1, '1 second'],
    [90, '90 seconds'],
    [45 * 60, '45 minutes'],
    [5.04 * HOUR, '5 hours'],
    [3.21 * DAY, '3.2 days'],
    [62 * DAY, '62 days'],
    [120 * DAY, '3.9 months'],
    [10 * YEAR, '10 years'],
    [-3 * DAY, '-3 days'],
    [Infinity, 'for ever'],
  ])('says %s seconds as %s', (seconds, text) => expect(humanDuration(seconds)).toBe(text))

  it('never says NaN, undefined or an empty text for a finite number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (seconds) => {
        expect(humanDuration(seconds)).toMatch(
          /^-?[\d.e+-]+ (millisecond|second|minute|hour|day|month|year)s?$/,
        )
      }),
      { seed: 2 },
    )
  })
})

describe('humanPeriod and humanTime', () => {
  it('speak as a person would', () => {
    expect(humanPeriod(3.2 * DAY)).toBe('every 3.2 days')
    expect(humanPeriod(0)).toBe('faster than can be seen')
    expect(humanPeriod(null)).toBe('unknown')
    expect(humanTime(1772366400)).toBe('2026-03-01T12:00:00Z')
    expect(humanTime(1e20)).toBe('100000000000000000000 s')
  })
})
