import { describe, expect, it } from 'vitest'
import { checkTiming, digestDue, isQuiet } from '../../src/notify/timing.js'

const at = (text: string) => Date.parse(text) / 1000

describe('quiet hours', () => {
  it('span midnight, in the time of a place', () => {
    const night = { quiet: '22:00-07:00', zone: 'Europe/Berlin' }
    expect(isQuiet(night, at('2026-11-18T20:59:59Z'))).toBe(false)
    expect(isQuiet(night, at('2026-11-18T21:00:00Z'))).toBe(true)
    expect(isQuiet(night, at('2026-11-18T05:59:59Z'))).toBe(true)
    expect(isQuiet(night, at('2026-11-18T06:00:00Z'))).toBe(false)
    // In summer Berlin is two hours ahead.
    expect(isQuiet(night, at('2026-07-18T20:30:00Z'))).toBe(true)
    expect(isQuiet({ quiet: '12-13:30' }, at('2026-07-18T13:00:00Z'))).toBe(true)
    expect(isQuiet({}, at('2026-07-18T13:00:00Z'))).toBe(false)
  })
})

describe('a digest', () => {
  const since = at('2026-11-18T09:20:30.5Z')
  it.each([
    [{ digest: 'hour' }, '2026-11-18T10:00:00Z'],
    [{ digest: 'day' }, '2026-11-19T08:00:00Z'],
    [{ digest: 'day', digestAt: '18:30' }, '2026-11-18T18:30:00Z'],
    [{ digest: 'day', digestAt: '11:00', zone: 'Europe/Berlin' }, '2026-11-18T10:00:00Z'],
    // Half an hour off: the full hour of the place.
    [{ digest: 'hour', zone: 'Asia/Kolkata' }, '2026-11-18T09:30:00Z'],
    [{ digest: 600 }, '2026-11-18T09:30:30.5Z'],
  ] as const)('%o is sent at %s', (timing, due) => {
    expect(digestDue(timing, since)).toBeCloseTo(at(due), 3)
  })

  it.each([
    { quiet: 'at night' },
    { quiet: '25:00-07:00' },
    { zone: 'Mars/North' },
    { digestAt: '8 o’clock' },
    { digest: -1 },
    { digest: 'week' as 'day' },
  ])('%o is refused', (timing) => {
    expect(() => checkTiming(timing)).toThrow()
  })
})
