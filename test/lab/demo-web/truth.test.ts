import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DemoWeb, demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { fixedGap, fixedScheduleFreshness, visitsAtGap } from './fixed-schedule.js'
import { openWeb } from './open-web.js'

const end = demoOrigin + 60 * DAY

async function webAtEnd() {
  const { web, clock } = await openWeb({ pages: 60 })
  clock.at = end
  return { web, clock }
}

/** Freshness by looking at every minute: slow, and nothing like the code. */
function sampled(web: DemoWeb, url: string, visits: readonly number[]) {
  const changes = web.changesBetween(url, { from: demoOrigin, to: end })
  const versionAt = (at: number) => changes.filter((change) => change <= at).length
  let fresh = 0
  let count = 0
  let copy = -1
  let next = 0
  for (let at = visits[0]! + 30; at < end; at += 60) {
    while (next < visits.length && visits[next]! <= at) copy = versionAt(visits[next++]!)
    if (copy === versionAt(at)) fresh++
    count++
  }
  return fresh / count
}

describe('freshnessOf', () => {
  it('is the share of time in which the copy was the page', async () => {
    const { web } = await webAtEnd()
    const page = web
      .truth()
      .find((each) => each.changes > 30 && each.changes < 100 && each.goneAt === null)!
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 59 * 24 }), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(times, (hours) => {
        const visits = hours.sort((a, b) => a - b).map((hour) => demoOrigin + hour * HOUR)
        const scores = web.freshnessOf(
          page.url,
          visits.map((at) => ({ at })),
        )
        expect(scores.freshness).toBeCloseTo(sampled(web, page.url, visits), 2)
        expect(scores.visits).toBe(visits.length)
        expect(scores.time).toBeCloseTo(end - visits[0]!, 3)
      }),
      { seed: 62, numRuns: 8 },
    )
  })

  it('a 304 does not mend a stale copy, and leaves a fresh one fresh', async () => {
    const { web } = await webAtEnd()
    const page = web.truth().find((each) => each.changes > 30 && each.goneAt === null)!
    const [change] = web.changesBetween(page.url, { from: demoOrigin, to: end })
    const first = { at: demoOrigin }
    const until = change! + DAY
    const honest = web.freshnessOf(
      page.url,
      [first, { at: (demoOrigin + change!) / 2, notModified: true }],
      { until },
    )
    const lied = web.freshnessOf(page.url, [first, { at: change! + 1, notModified: true }], {
      until,
    })
    for (const scores of [honest, lied]) {
      expect(scores.freshTime).toBeCloseTo(change! - demoOrigin, 3)
      expect(scores.visits).toBe(2)
      expect(scores.caught).toBe(0)
    }
  })

  it('ends where the page does', async () => {
    const { web } = await webAtEnd()
    const { url, goneAt } = web.truth().find((each) => each.access === 'gone')!
    const scores = web.freshnessOf(url, [{ at: demoOrigin }, { at: goneAt! + DAY }])
    expect(scores.time).toBeCloseTo(goneAt! - demoOrigin, 3)
    expect(scores.visits).toBe(1)
  })

  it('a meter asked on the way says the same in the end', async () => {
    const { web, clock } = await webAtEnd()
    for (const { url } of web.truth().slice(0, 20)) {
      const visits = Array.from({ length: 30 }, (_, i) => ({ at: demoOrigin + i * 2 * DAY }))
      const whole = web.freshnessOf(url, visits)
      const meter = web.meter(url)
      for (const visit of visits)
        for (
          clock.at = visit.at, meter.visit(visit);
          clock.at < visit.at + 1.5 * DAY;
          clock.at += 11 * HOUR
        )
          meter.scores()
      clock.at = end
      expect(meter.scores()).toEqual(whole)
    }
  })
})

describe('the fixed schedule', () => {
  // By hand: (10 + 20) seconds for 8 - 2 requests beside the first visits is one every 5.
  it('spends the requests at one gap', () => {
    const pages = [
      { from: 0, until: 10 },
      { from: 5, until: 25 },
    ]
    const gap = fixedGap(pages, { requests: 8 })
    expect(gap).toBe(5)
    expect(pages.map((page) => [...visitsAtGap(page, gap)])).toEqual([
      [0, 5, 10],
      [5, 10, 15, 20, 25],
    ])
    expect(fixedGap(pages, { requests: 2 })).toBe(Infinity)
    expect([...visitsAtGap(pages[0]!, Infinity)]).toEqual([0])
    expect(() => fixedGap(pages, { requests: 1 })).toThrow(/do not pay/)
  })

  it('uses about the requests it is given, none of them real, and is fresher with more', async () => {
    const { web } = await webAtEnd()
    const pages = web
      .truth()
      .filter(({ goneAt }) => goneAt === null)
      .map(({ url }) => ({ url, from: demoOrigin }))
    const scores = [1000, 4000, 16_000].map((requests) => {
      const each = fixedScheduleFreshness(web, { pages, requests })
      expect(Math.abs(each.visits - requests)).toBeLessThanOrEqual(pages.length)
      return each.freshness
    })
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(scores[2]! - scores[0]!).toBeGreaterThan(0.1)
    expect(web.requests().total).toBe(0)
  })

  it('in turn, request by request, comes to the same', async () => {
    const { web } = await webAtEnd()
    const urls = web
      .truth()
      .filter(({ goneAt }) => goneAt === null)
      .map(({ url }) => url)
    const round = web.roundRobin(urls)
    const requests = 5000
    for (let i = 0; i < requests; i++)
      round.request({ at: demoOrigin + (i / requests) * (end - demoOrigin) })
    const pages = urls.map((url) => ({ url, from: demoOrigin }))
    expect(round.scores().visits).toBe(requests)
    expect(round.scores().freshness).toBeCloseTo(
      fixedScheduleFreshness(web, { pages, requests }).freshness,
      1,
    )
    expect(() => web.roundRobin([])).toThrow(/at least one page/)
  })
})

describe('the truth', () => {
  it('refuses the future, strangers, and visits that go back', async () => {
    const { web, clock } = await webAtEnd()
    const { url } = web.truth()[0]!
    expect(() => web.changesBetween(url, { from: end, to: end + 1 })).toThrow(/is not yet/)
    expect(() => web.meter(url).visit({ at: Infinity })).toThrow(/is not yet/)
    expect(() => web.meter('http://127.0.0.1/').visit({ at: clock.at })).toThrow(/has no page/)
    expect(() => web.freshnessOf(url, [{ at: end }, { at: end }])).toThrow(/go forward/)
    expect(() => web.freshnessOf(url, [{ at: demoOrigin - 1 }])).toThrow(/before the start/)
  })
})
