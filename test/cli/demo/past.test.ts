import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { demoSettings } from '../../../src/cli/commands/demo/options.js'
import { DemoReporter } from '../../../src/cli/commands/serve/demo.js'
import { DemoLoop } from '../../../src/lab/demo/demo-loop.js'
import { collection } from '../../../src/lab/demo/demo-store.js'
import { DemoWatch } from '../../../src/lab/demo/demo-watch.js'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { succeeded } from '../../../src/model/history.js'
import { DAY } from '../../../src/model/units.js'

const days = 14
const until = demoOrigin + days * DAY

async function opened({ past }: { past: number }) {
  const settings = demoSettings({}, { watched: true })
  const loop = await DemoLoop.open({ ...settings, version: 'test', past })
  const watch = new DemoWatch(loop, { wall: () => performance.now() / 1000 })
  return { settings, loop, watch, teller: new DemoReporter(watch, { speed: settings.speed }) }
}

/** The same for one test. */
async function begun(options: { past: number }) {
  const made = await opened(options)
  onTestFinished(() => made.loop.close())
  return made
}

async function allPages({ store }: DemoLoop) {
  return (await store.listPages({ collection, limit: 1000 })).pages
}

describe('a demo with a past', () => {
  let whole: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    whole = await opened({ past: days * DAY })
  }, 60_000)
  afterAll(() => whole?.loop.close())

  it('begins with two weeks of visits by its budget, all of them in its store', async () => {
    const { loop, settings } = whole
    const { past, store, web } = loop
    expect(web.clock.now()).toBe(until)
    const perDay = past.length / days / web.truth().length
    expect(perDay).toBeGreaterThan(0.8 * settings.perPage)
    expect(perDay).toBeLessThan(1.2 * settings.perPage)
    const times = past.map(({ visit }) => visit.at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[0]).toBe(demoOrigin)
    expect(times.at(-1)).toBeGreaterThan(until - DAY / 2)
    expect(times.at(-1)).toBeLessThan(until)
    const kept = (await store.listVisits({ collection, limit: 100_000 })).visits
    expect(kept.map(({ url, at, outcome }) => ({ url, at, outcome }))).toEqual(
      past.map(({ lease, visit: { at, outcome } }) => ({ url: lease.page.url, at, outcome })),
    )
  })

  it('asks every site as politely as the loop does, and nothing that robots.txt closes', async () => {
    const { loop } = await begun({ past: 3 * DAY })
    const before = new Map<string, number>()
    for (const { lease, visit } of loop.past) {
      const gap = visit.at - (before.get(lease.host) ?? -Infinity)
      expect(gap).toBeGreaterThanOrEqual(60 - 1e-6)
      before.set(lease.host, visit.at)
    }
    expect(before.size).toBe(5)
    expect(loop.web.requests().disallowed).toBe(0)
    const closed = loop.web.truth().filter(({ access }) => access === 'disallowed')
    for (const { url } of closed) {
      const visits = loop.past.filter(({ lease }) => lease.page.url === url)
      expect(visits.map(({ visit }) => visit.fault)).toContain('robots')
    }
  })

  it('leaves pages as their last visit did: what is known, planned and copied', async () => {
    const { loop } = whole
    const last = new Map(loop.past.map((saved) => [saved.lease.page.url, saved.visit]))
    let copies = 0
    for (const page of await allPages(loop)) {
      if (page.settings.role === 'list') continue
      expect(page.lastVisit?.at).toBe(last.get(page.url)?.at)
      expect(page.due.at === 'never' || page.due.at >= until - DAY / 2).toBe(true)
      if (page.lastSeen === null) continue
      expect(page.state).not.toBeNull()
      expect(page.fingerprint).not.toBeNull()
      const versions = await loop.store.versionsOf(page)
      expect(versions.length).toBeGreaterThan(0)
      expect(versions.length).toBeLessThanOrEqual(4)
      copies += versions.length
    }
    expect(copies).toBeGreaterThan(300)
    // The planner goes on with the price it had come to.
    expect(loop.crawler.controller.ledger).toMatchObject({ at: until, requestsPerDay: 300 })
  })

  it('is ahead of the fixed schedule, as the truth tells, or says that it learns', async () => {
    const { teller, watch, loop } = whole
    const report = await teller.report()
    expect(report).toMatchObject({ now: until, day: days + 1, visits: loop.past.length })
    const { revisit, fixedSchedule } = report.freshness
    expect(report.learning).toBe(!(revisit > fixedSchedule))
    expect(report.byDay).toHaveLength(days)
    expect(report.byDay.map(({ from }) => from)).toEqual(
      Array.from({ length: days }, (_, i) => demoOrigin + i * DAY),
    )
    // The days add up to the whole, give or take their unlike weights.
    const mean = report.byDay.reduce((sum, each) => sum + each.revisit, 0) / days
    expect(mean).toBeCloseTo(revisit, 1)
    // The fixed schedule has made as many requests.
    const { fixed } = watch.meter.scores()
    const requests = loop.past.filter(({ visit }) => visit.fault !== 'robots').length
    expect(fixed.visits).toBe(requests)
    const seen = watch.meter.scores().revisit.visits
    expect(seen).toBe(
      loop.past.filter(({ visit, lease }) => succeeded(visit.outcome) && isOpen(loop, lease))
        .length,
    )
  })

  it('goes on from there over HTTP: pages are known, and compared with what was seen', async () => {
    const { loop, watch } = await begun({ past: 3 * DAY })
    const end = new AbortController()
    const live: string[] = []
    loop.begin()
    await loop.crawler.run({
      signal: end.signal,
      onVisit: (saved) => {
        watch.visited(saved)
        if (saved.lease.page.settings.role === 'list') return
        if (saved.lease.page.lastSeen !== null) live.push(saved.visit.outcome)
        if (live.length >= 40) end.abort()
      },
    })
    expect(live).not.toContain('first')
    expect(live).toContain('unchanged')
    expect(watch.tally.total).toBeGreaterThan(loop.past.length + 40)
  })

  it('without one it is learning from the first moment, on its first day', async () => {
    const { teller, loop } = await begun({ past: 0 })
    expect(loop.past).toEqual([])
    expect(await teller.report()).toMatchObject({ learning: true, day: 1, visits: 0, byDay: [] })
  })
})

function isOpen({ web }: DemoLoop, { page }: { readonly page: { readonly url: string } }): boolean {
  return web
    .truth()
    .some(({ url, access }) => url === page.url && !['forbidden', 'disallowed'].includes(access))
}
