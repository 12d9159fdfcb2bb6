import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/model/store.js'
import { dashboardRoutes } from '../../src/server/dashboard.js'
import { aVisit } from '../fixtures/a-visit.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { aService, collection } from './a-service.js'

const hour = 3600

/** A service with the dashboard's routes, and files in place of the built ones. */
async function withDashboard(
  options: { requireKey?: boolean } = {},
  more: { store?: Store; clock?: VirtualClock } = {},
) {
  const folder = tempFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Revisit</title>')
  for (const name of ['assets/index-1.js', 'theme.js', 'language.js'])
    writeFileSync(join(folder, name), 'void 0')
  return aService({ ...more, parts: { routes: [dashboardRoutes({ folder })] }, options })
}

async function visitedPage(service: Awaited<ReturnType<typeof aService>>) {
  const { store, clock } = service
  const now = clock.now()
  await store.addPages({ collection, pages: [{ url: 'https://a.example/' }], now })
  const terms = { now, ttl: 1e6, worker: 'test' }
  const [lease] = await store.leasePages({
    ...terms,
    pages: [{ collection, url: 'https://a.example/' }],
  })
  const outcomes = ['first', 'changed', 'gone', 'unchanged', 'refused', 'failed'] as const
  for (const [i, outcome] of outcomes.entries())
    await store.recordVisits([
      {
        lease: lease!,
        keepLease: true,
        due: { at: now + hour, reason: 'for the test' },
        visit: aVisit({ at: now - (outcomes.length - i) * hour, outcome }),
      },
    ])
  return lease!.page.id
}

describe('what the dashboard asks for', () => {
  it('is one overview: health, a forecast, visits by the hour', async () => {
    const service = await withDashboard()
    await visitedPage(service)
    const { status, json } = await service.ask('GET', '/api/overview')
    const { activity, ...rest } = json as { activity: Record<string, number[]> }
    expect(status).toBe(200)
    expect(rest).toMatchObject({
      speed: 1,
      demo: false,
      loop: null,
      health: { pages: 1, hosts: 1 },
      // Its learner knows nothing of it: the recorded visits do.
      forecast: { pagesKnown: 1, pagesUnknown: 0, fixedFreshness: expect.any(Number) },
    })
    expect((rest as { forecast?: object }).forecast).not.toHaveProperty('rates')
    const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0)
    expect(activity.visits).toHaveLength(168)
    expect(
      [activity.visits, activity.changes, activity.failures].map((each) => sum(each!)),
    ).toEqual([6, 1, 2])
    // Asked again, no visit is counted twice.
    const again = await service.ask('GET', '/api/overview')
    expect(again.json).toMatchObject({ activity: { visits: activity.visits } })
  })

  it('is since when pages are visited, however long that is ago', async () => {
    const service = await withDashboard()
    const since = async () => {
      const { json } = await service.ask('GET', '/api/overview')
      return (json as { activity: { since: number | null } }).activity.since
    }
    expect(await since()).toBeNull()
    await visitedPage(service)
    const first = service.clock.now() - 6 * hour
    expect(await since()).toBe(first)
    // Another service on the same store, long after: hours are counted for a week only.
    const clock = new VirtualClock(service.clock.now() + 90 * 24 * hour)
    const later = await withDashboard({}, { store: service.store, clock })
    const { json } = await later.ask('GET', '/api/overview')
    expect(json).toMatchObject({ activity: { since: first } })
  })

  it('is the last visits of many pages at once', async () => {
    const service = await withDashboard()
    const id = await visitedPage(service)
    const { json } = await service.ask('GET', `/api/timelines?pages=${id},999`)
    const { lines } = json as { lines: Record<string, [number, string][]> }
    expect(Object.keys(lines)).toEqual([id])
    expect(lines[id]!.map(([, outcome]) => outcome)).toEqual([
      'first',
      'changed',
      'gone',
      'unchanged',
      'refused',
      'failed',
    ])
    expect((await service.ask('GET', '/api/timelines?pages=1;2')).status).toBe(400)
    expect((await service.ask('GET', '/api/demo')).status).toBe(404)
  })

  it('is served with a strict policy, and nothing beside its files', async () => {
    const { app } = await withDashboard()
    const get = (url: string) => app.inject({ url, headers: { host: 'localhost' } })
    const page = await get('/')
    expect(page.statusCode).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect((await get('/assets/index-1.js')).headers['cache-control']).toContain('immutable')
    for (const url of ['/assets/', '/assets/../package.json', '/..%2fpackage.json', '/.env'])
      expect((await get(url)).statusCode, url).toBe(404)
  })

  it('is open without a key where one is needed, and what it asks for is not', async () => {
    const { app } = await withDashboard({ requireKey: true })
    const status = async (url: string) =>
      (await app.inject({ url, headers: { host: 'localhost' } })).statusCode
    for (const url of ['/', '/assets/index-1.js', '/theme.js', '/language.js'])
      expect(await status(url), url).toBe(200)
    for (const url of ['/api/overview', '/api/timelines?pages=1', '/api/pages', '/docs'])
      expect(await status(url), url).toBe(401)
  })
})
