import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheLifetime } from '../../src/hints/answer-hints.js'
import { namedFrequency } from '../../src/hints/list-entries.js'
import { DAY, HOUR, YEAR } from '../../src/model/units.js'

const now = Date.UTC(2026, 0, 1) / 1000
const date = new Date(now * 1000).toUTCString()
const later = (seconds: number) => new Date((now + seconds) * 1000).toUTCString()

describe('cacheLifetime', () => {
  // RFC 9111, 4.2.1 and 5.2.2.
  it.each<[Record<string, string>, number | null]>([
    [{ 'cache-control': 'max-age=3600' }, HOUR],
    [{ 'cache-control': 'public, MAX-AGE="60"' }, 60],
    [{ 'cache-control': 'max-age=3600', age: '600' }, 3000],
    [{ 'cache-control': 'max-age=60', age: '600' }, null],
    [{ 'cache-control': 'max-age=60', expires: later(DAY) }, 60],
    [{ 'cache-control': 's-maxage=60' }, null],
    [{ 'cache-control': 'no-cache, max-age=60' }, null],
    [{ 'cache-control': 'no-store' }, null],
    [{ expires: later(DAY), date }, DAY],
    [{ expires: later(DAY) }, DAY],
    [{ expires: '0' }, null],
    [{ expires: later(-DAY), date }, null],
    [{ 'cache-control': 'max-age=99999999999999' }, YEAR],
    [{ 'cache-control': 'x-max-age=5' }, null],
    [{}, null],
  ])('of %j is %j', (headers, lifetime) => {
    expect(cacheLifetime(headers, { now })).toBe(lifetime)
  })

  it('is positive and at most a year, or none, whatever the headers', () => {
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.nat().map((n) => `max-age=${n}`),
    )
    const headers = fc.record({ 'cache-control': text, expires: text, date: text, age: text })
    fc.assert(
      fc.property(headers, (each) => {
        const lifetime = cacheLifetime(each, { now })
        expect(lifetime === null || (lifetime > 0 && lifetime <= YEAR)).toBe(true)
      }),
      { seed: 3, numRuns: 300 },
    )
  })
})

describe('namedFrequency', () => {
  it('knows the words of sitemaps.org and no others', () => {
    expect(namedFrequency('daily')).toEqual({ kind: 'periodic', period: DAY })
    expect(namedFrequency(' Weekly ')).toEqual({ kind: 'periodic', period: 7 * DAY })
    expect(namedFrequency('never')).toEqual({ kind: 'static' })
    expect(namedFrequency('constructor')).toBeNull()
    expect(namedFrequency('fortnightly')).toBeNull()
  })
})
