import { describe, expect, it } from 'vitest'
import { nextAllowed, parseAllowedHours } from '../../src/policies/allowed-hours.js'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const next = (text: string, hours: string) =>
  new Date(nextAllowed(at(text), parseAllowedHours(hours)) * 1000).toISOString().slice(0, 19)

// By the calendar: 2026-03-02 was a Monday.
describe('parseAllowedHours and nextAllowed', () => {
  it.each([
    ['2026-03-02T09:30:15', 'mon-fri 8-18', '2026-03-02T09:30:15'],
    ['2026-03-02T07:59:59', 'mon-fri 8-18', '2026-03-02T08:00:00'],
    ['2026-03-06T18:00:00', 'mon-fri 8-18', '2026-03-09T08:00:00'],
    ['2026-03-04T12:00:00', 'sat,sun', '2026-03-07T00:00:00'],
    ['2026-03-02T12:00:00', '22-6', '2026-03-02T22:00:00'],
    ['2026-03-02T05:59:59', '22-6', '2026-03-02T05:59:59'],
    // Friday night runs into Saturday morning, and Saturday night is not meant.
    ['2026-03-07T05:00:00', 'fri 22-6', '2026-03-07T05:00:00'],
    ['2026-03-07T06:00:00', 'fri 22-6', '2026-03-13T22:00:00'],
    ['2026-03-08T23:00:00', 'sun 22-6', '2026-03-08T23:00:00'],
    ['2026-03-09T05:00:00', 'sun 22-6', '2026-03-09T05:00:00'],
    ['2026-03-07T12:00:00', 'mon 8-9; sat 13-14', '2026-03-07T13:00:00'],
    ['2026-03-07T12:00:00', 'fri-mon 0-24', '2026-03-07T12:00:00'],
    ['1969-12-30T12:00:00', 'thu', '1970-01-01T00:00:00'],
  ])('from %s, "%s" allows %s', (from, hours, expected) => {
    expect(next(from, hours)).toBe(expected)
  })

  it.each(['', 'noon', '8', '8-25', '24-3', 'mon 8-18,20-22', 'mon;', 'xyz-fri'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseAllowedHours(text)).toThrow(/hours are written like/)
    },
  )
})
