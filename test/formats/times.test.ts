import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sliceOf } from '../../src/formats/bytes/byte-slice.js'
import type { Refusal } from '../../src/formats/problems.js'
import { cdxTime, isoTime } from '../../src/formats/time/iso-time.js'
import {
  LastModifiedReading,
  type TimeOptions,
  TimeReading,
} from '../../src/formats/time/log-times.js'
import { parsedHttpDate } from '../../src/formats/time/web-dates.js'
import { testNow } from '../fixtures/read-text.js'

const reported = (value: number | Refusal | undefined) =>
  typeof value === 'object' ? { code: value.code, message: value.message() } : value
const reader = (options: Partial<TimeOptions> = {}) => {
  const reading = new TimeReading({ now: testNow, ...options })
  return (text: string) => reported(reading.read(sliceOf(text)))
}

describe('isoTime', () => {
  // Origin: `date -u -d ... +%s`.
  it.each([
    ['2024-05-01T12:30:15Z', 1714566615],
    ['2024-05-01 12:30:15z', 1714566615],
    ['2024-05-01T12:30:15.250Z', 1714566615.25],
    ['2024-05-01T12:30Z', 1714566600],
    ['2024-05-01T14:30:15+02:00', 1714566615],
    ['2024-05-01T14:30:15+0200', 1714566615],
    ['2024-05-01T14:30:15+02', 1714566615],
    ['2024-05-01T08:00:15-04:30', 1714566615],
    ['2024-02-29T00:00:00Z', 1709164800],
    ['1969-12-31T23:59:59Z', -1],
    ['2024-05-01T12:30:15', 'no-zone'],
    ['2024-05-01', 'no-zone'],
  ])('reads %s', (text, at) => expect(isoTime(sliceOf(text), undefined)).toBe(at))

  it('takes the zone that is given where there is none', () => {
    expect(isoTime(sliceOf('2024-05-01T12:30:15'), 0)).toBe(1714566615)
    expect(isoTime(sliceOf('2024-05-01T12:30:15Z'), 7200)).toBe(1714566615)
    expect(isoTime(sliceOf('2024-05-01'), 0)).toBe(1714521600)
  })

  it.each([
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-05-01T24:00:00Z',
    '2024-05-01T12:60:00Z',
    '2024-05-01T12:30:60Z',
    '2024-05-01T12:30:15.Z',
    '2024-05-01T12',
    '2024-05-01T1',
    '2024-05-01X12:30:15Z',
    '2024-05-01\u000012:30:15Z',
    '2024-05-01T12:30:15+2',
    '2024-05-01T12:30:15+02:0',
    '2024-05-01T12:30:15Zulu',
    '2024-05/01T12:30:15Z',
  ])('refuses %j', (text) => expect(isoTime(sliceOf(text), 0)).toBeNaN())

  it('agrees with Date on every time it writes', () => {
    const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    fc.assert(
      fc.property(date, (each) => {
        expect(isoTime(sliceOf(each.toISOString()), undefined)).toBeCloseTo(
          each.getTime() / 1000,
          6,
        )
        const digits = each.toISOString().replace(/\.\d+Z|[-T:]/g, '')
        expect(cdxTime(sliceOf(digits))).toBe(Math.floor(each.getTime() / 1000))
        expect(parsedHttpDate(each.toUTCString())).toBe(Math.floor(each.getTime() / 1000))
      }),
      { seed: 3 },
    )
  })
})

describe('TimeReading', () => {
  it('finds seconds and milliseconds where only one can be meant', () => {
    expect(reader()('1714521600')).toBe(1714521600)
    expect(reader()('1714521600.5')).toBe(1714521600.5)
    expect(reader()('1714521600500')).toBe(1714521600.5)
    expect(reader()('1.7145216e9')).toBe(1714521600)
  })

  it.each(['0', '86400', '-5', '20240501', '1e300', '99999999999999999'])(
    'refuses %s, naming the option that settles it',
    (text) =>
      expect(reader()(text)).toMatchObject({
        code: 'ambiguous-time',
        message: expect.stringMatching(/--time seconds or --time milliseconds/),
      }),
  )

  it('refuses a CDX timestamp, naming the option', () => {
    expect(reader()('20240501120000')).toMatchObject({
      code: 'ambiguous-time',
      message: expect.stringMatching(/--time cdx/),
    })
    expect(reader({ time: 'cdx' })('20240501120000')).toBe(1714564800)
  })

  it('refuses an ISO time without a zone, naming the option', () => {
    expect(reader()('2024-05-01T12:00:00')).toMatchObject({
      code: 'no-zone',
      message: expect.stringMatching(/--zone utc/),
    })
    expect(reader({ zone: 0 })('2024-05-01T12:00:00')).toBe(1714564800)
  })

  it('holds all times to the kind of the first', () => {
    const read = reader()
    expect(read('1714521600')).toBe(1714521600)
    expect(read('1714521600000')).toMatchObject({ code: 'mixed-times' })
    expect(read('2024-05-01T12:00:00Z')).toMatchObject({ code: 'mixed-times' })
    expect(read('1714521601')).toBe(1714521601)
    const readIso = reader()
    expect(readIso('2024-05-01T12:00:00Z')).toBe(1714564800)
    expect(readIso('1714521600')).toMatchObject({ code: 'mixed-times' })
  })

  it('says that a time lies in the future', () => {
    expect(reader()(String(testNow + 10))).toMatchObject({ code: 'time-in-future' })
  })

  it('takes any number when told the kind', () => {
    expect(reader({ time: 'seconds' })('0')).toBe(0)
    expect(reader({ time: 'seconds' })('-5.5')).toBe(-5.5)
    expect(reader({ time: 'milliseconds' })('86400000')).toBe(86400)
    expect(reader({ time: 'iso' })('86400')).toMatchObject({ code: 'bad-time' })
    expect(reader({ time: 'seconds' })('1e999')).toMatchObject({ code: 'bad-time' })
  })

  it('gives a finite number or a named refusal for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.stringMatching(/^[0-9TZ:+. -]{0,30}$/),
    )
    fc.assert(
      fc.property(text, fc.constantFrom(undefined, 'seconds', 'cdx', 'iso'), (each, time) => {
        const value = reader({ time: time as TimeOptions['time'] })(each)
        if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
        else expect(value).toMatchObject({ code: expect.any(String), message: expect.any(String) })
      }),
      { seed: 4, numRuns: 500 },
    )
  })
})

describe('LastModifiedReading', () => {
  const lastModified = (at: string, options: Partial<TimeOptions> = {}) => {
    const visits = new TimeReading({ now: testNow, ...options })
    visits.read(sliceOf(at))
    const reading = new LastModifiedReading({ now: testNow, ...options }, visits)
    return (text: string) => reported(reading.read(sliceOf(text)))
  }

  it('reads HTTP dates, ISO times, nothing, and numbers in the unit of the visits', () => {
    const read = lastModified('1714521600')
    // RFC 9110, 5.6.7.
    expect(read('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784111777)
    expect(read('2024-05-01T12:30:15Z')).toBe(1714566615)
    expect(read('')).toBeUndefined()
    expect(read('0')).toBe(0)
    expect(read('1714521000')).toBe(1714521000)
    expect(lastModified('1714521600000')('1714521000000')).toBe(1714521000)
    expect(lastModified('2024-05-01T00:00:00Z')('1714521000')).toBe(1714521000)
    expect(lastModified('0', { time: 'seconds' })('-60')).toBe(-60)
  })

  it('refuses another unit, and what is no time', () => {
    const read = lastModified('1714521600')
    expect(read('1714521000000')).toMatchObject({ code: 'mixed-times' })
    expect(read('86400')).toMatchObject({ code: 'mixed-times' })
    expect(read('last week')).toMatchObject({ code: 'bad-last-modified' })
  })
})
