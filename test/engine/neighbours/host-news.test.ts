import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type HostNews,
  hostNewsFrom,
  hostNewsJson,
  newsAfter,
  newsTime,
  noHostNews,
} from '../../../src/engine/index.js'
import type { Json } from '../../../src/model/index.js'
import { noNews } from '../../../src/schedule/index.js'

const at = 1_700_000_000
const known: HostNews = {
  at,
  tally: { visits: 40, changed: 30, expected: 8 },
  reached: at + 9e5,
  last: at + 90,
}
const visit = { at: at + 600, lastSeen: at - 9e4, changed: true, chance: 0.25 }

describe('newsAfter', () => {
  it('begins news with the first change, and calls for ten siblings', () => {
    const first = newsAfter(noHostNews, visit)
    expect(first).toEqual({ news: { ...noHostNews, at: visit.at }, calls: 10 })
    expect(newsAfter(noHostNews, { ...visit, changed: false }).news).toBe(noHostNews)
  })

  it('learns from a visit soon after news, and goes on where it found a change', () => {
    const told = newsAfter(known, visit)
    expect(told.calls).toBe(2)
    expect(told.news).toEqual({ ...known, tally: { visits: 41, changed: 31, expected: 8.25 } })
    const silent = newsAfter(known, { ...visit, changed: false })
    expect(silent.calls).toBe(0)
    expect(silent.news.tally).toEqual({ visits: 41, changed: 30, expected: 8.25 })
  })

  it.each([
    ['the page was seen since', { lastSeen: at + 1 }],
    ['another policy follows the page', { chance: null }],
    ['the visit was before', { at: at - 5 }],
    ['the news are old, and the page had not been seen since', { at: at + newsTime }],
  ])('learns nothing where %s', (_, more) => {
    const { news, calls } = newsAfter(known, { ...visit, ...more })
    expect(news).toBe(known)
    expect(calls).toBe(0)
  })

  it('takes a change for news again once the page was seen since the last', () => {
    const later = { ...visit, at: at + newsTime, lastSeen: at + 60 }
    const begun = { at: later.at, tally: known.tally, reached: null, last: null }
    expect(newsAfter(known, later)).toEqual({ news: begun, calls: 10 })
  })

  it('is not silenced by a clock that was set back', () => {
    expect(newsAfter(known, { ...visit, at: at - 2 * newsTime, lastSeen: at - 1e6 }).calls).toBe(10)
  })
})

describe('hostNewsFrom', () => {
  it('reads what was written', () => {
    const counts = fc.record({
      visits: fc.integer({ min: 0, max: 400 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    const time = fc.option(fc.integer({ min: 0, max: 2e9 }))
    fc.assert(
      fc.property(counts, time, time, time, ({ visits, share }, newsAt, reached, last) => {
        const tally = { visits, changed: Math.floor(share * visits), expected: visits / 4 }
        const news = { at: newsAt, tally, reached, last }
        expect(hostNewsFrom(JSON.parse(JSON.stringify(hostNewsJson(news))))).toEqual(news)
      }),
      { seed: 7 },
    )
  })

  it('takes anything else for nothing known, and never gives counts that are none', () => {
    expect(hostNewsFrom(undefined)).toBe(noHostNews)
    expect(hostNewsFrom([1, -1, 0, 0, null, null])).toBe(noHostNews)
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(hostNewsFrom(json as Json).tally).toEqual(noNews)
      }),
      { seed: 8 },
    )
  })
})
