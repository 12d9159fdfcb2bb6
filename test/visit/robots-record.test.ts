import { describe, expect, it } from 'vitest'
import type { FetchAnswer, FetchFault } from '../../src/model/fetcher.js'
import { DAY, HOUR } from '../../src/model/units.js'
import {
  isCurrent,
  type RobotsRecord,
  robotsAllow,
  robotsRecord,
} from '../../src/visit/politeness/robots-record.js'

const at = 1.7e9
const printed = { at, url: 'http://a.test/robots.txt', headers: {}, bytesReceived: 0 }
const content = (text: string): FetchAnswer => ({
  kind: 'content',
  status: 200,
  ...printed,
  body: new TextEncoder().encode(text),
})
const failed = (fault: FetchFault): FetchAnswer => ({
  kind: 'failed',
  fault,
  message: '',
  at,
  bytesReceived: 0,
})
const page = 'http://a.test/secret?x=1'
const of = (answer: FetchAnswer, before?: RobotsRecord) =>
  robotsRecord(answer, { agent: 'revisit', before })

describe('robotsRecord', () => {
  it('keeps the rules for us, for a day', () => {
    const record = of(
      content(
        'User-agent: revisit\nDisallow: /secret\nCrawl-delay: 7\nUser-agent: *\nDisallow: /\nSitemap: http://a.test/s.xml',
      ),
    )
    expect(record).toMatchObject({
      verdict: 'rules',
      crawlDelay: 7,
      sitemaps: ['http://a.test/s.xml'],
      until: at + DAY,
    })
    expect(robotsAllow(record, page)).toBe(false)
    expect(robotsAllow(record, 'http://a.test/')).toBe(true)
    expect(isCurrent(record, { now: at + DAY - 1, agent: 'revisit' })).toBe(true)
    expect(isCurrent(record, { now: at + DAY, agent: 'revisit' })).toBe(false)
    expect(isCurrent(record, { now: at, agent: 'other' })).toBe(false)
    expect(JSON.parse(JSON.stringify(record))).toEqual(record)
  })

  it.each<[string, FetchAnswer]>([
    ['404', { kind: 'gone', status: 404, ...printed }],
    ['403', { kind: 'refused', status: 403, ...printed }],
    ['more than five redirects', failed('too-many-redirects')],
  ])('allows all after %s', (_, answer) => {
    const record = of(answer)
    expect(robotsAllow(record, page)).toBe(true)
    expect(record.until).toBe(at + DAY)
  })

  it.each<[string, FetchAnswer]>([
    ['500', { kind: 'later', status: 500, ...printed, retryAfter: null }],
    ['429', { kind: 'later', status: 429, ...printed, retryAfter: null }],
    ['a timeout', failed('timeout')],
    ['an unknown name', failed('dns')],
    ['broken HTTP', failed('bad-answer')],
  ])(
    'allows nothing after %s, and asks again ever later, every six hours at least',
    (_, answer) => {
      let record = of(answer)
      expect(robotsAllow(record, page)).toBe(false)
      expect(robotsAllow(record, 'http://a.test/robots.txt')).toBe(true)
      const waits = Array.from({ length: 12 }, () => {
        const wait = record.until - at
        record = of(answer, record)
        return wait
      })
      expect(waits.slice(0, 3)).toEqual([300, 600, 1200])
      expect(waits.at(-1)).toBe(6 * HOUR)
    },
  )

  it('waits as long as the server asks', () => {
    const until = (retryAfter: number) =>
      of({ kind: 'later', status: 503, ...printed, retryAfter }).until
    expect([until(5000), until(20)]).toEqual([at + 5000, at + 20])
  })

  it('reads HTML, nonsense and the first 500 KiB of a large file', () => {
    expect(robotsAllow(of(content('<html><body>Not found</body></html>')), page)).toBe(true)
    expect(robotsAllow(of(content('\u0000\u0001'.repeat(1000))), page)).toBe(true)
    const large = `User-agent: *\nDisallow: /secret\n${'# x\n'.repeat(200_000)}Disallow: /late\n`
    expect(robotsAllow(of(content(large)), page)).toBe(false)
    expect(robotsAllow(of(content(large)), 'http://a.test/late')).toBe(true)
  })

  // The limit falls behind as many letters of the rule as are said.
  it.each([
    ['inside a rule, which is left out', 'Disallow: /'.length, true],
    ['at the end of a line, which is kept', 'Disallow: /secret'.length, false],
    ['inside a word', 'Disa'.length, true],
  ])('reads a file that is cut %s', (_, letters, allowed) => {
    const start = 'User-agent: *\n#'
    const filling = 'c'.repeat(500 * 1024 - start.length - 1 - letters)
    const file = `${start}${filling}\nDisallow: /secret\nDisallow: /`
    expect(robotsAllow(of(content(file)), page)).toBe(allowed)
    expect(robotsAllow(of(content(file)), 'http://a.test/')).toBe(true)
  })

  it('reads a last line without an end where the file just fits', () => {
    const start = 'User-agent: *\n#'
    const rule = '\nDisallow: /secret'
    const filling = 'c'.repeat(500 * 1024 - start.length - rule.length)
    expect(robotsAllow(of(content(start + filling + rule)), page)).toBe(false)
  })
})
