import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/model/store.js'
import { knownPeriod } from '../../src/planner/change-period.js'
import { overviewRoutes } from '../../src/server/collection/overview.js'
import { KnownPeriods } from '../../src/server/pages/page-view.js'
import { aVisit } from '../fixtures/a-visit.js'
import { type AService, aService, collection } from './a-service.js'

const hour = 3600
const url = 'https://a.example/'

/** A page on a policy that learns nothing: 40 visits an hour apart, every tenth found a change. */
async function onFixedGaps(visits = 40): Promise<AService> {
  const service = await aService({ policy: 'fixed:gap=1h', parts: { routes: [overviewRoutes] } })
  const { store, clock } = service
  const now = clock.now()
  await store.addPages({ collection, pages: [{ url }], now })
  for (let i = 0; i < visits; i++) await visited(service, { at: now - (visits - i) * hour, i })
  return service
}

async function visited({ store, clock }: AService, { at, i }: { at: number; i: number }) {
  const terms = { now: clock.now(), ttl: 1e6, worker: 'test' }
  const [lease] = await store.leasePages({ ...terms, pages: [{ collection, url }] })
  const outcome = i === 0 ? 'first' : i % 10 === 9 ? 'changed' : 'unchanged'
  await store.recordVisits([
    { lease: lease!, due: { at: at + hour, reason: 'test' }, visit: aVisit({ at, outcome }) },
  ])
}

async function thePage({ store }: AService) {
  return (await store.listPages({ collection, limit: 1 })).pages[0]!
}

/** The same store, counting how often a page's visits are read. */
function counting(store: Store): { store: Store; reads: () => number } {
  let reads = 0
  const counted = new Proxy(store, {
    get(target, name) {
      if (name === 'visitsOf') reads++
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store: counted, reads: () => reads }
}

describe('pages whose policy has no learner', () => {
  it('are known to the overview by their recorded visits', async () => {
    const service = await onFixedGaps()
    const { json } = await service.ask('GET', '/api/overview')
    const { forecast } = json as { forecast: { freshness: number; freshnessError: number } }
    expect(forecast).toMatchObject({ pagesKnown: 1, pagesUnknown: 0 })
    // About ten hours between changes, a visit an hour: fresh some 95% of the time.
    expect(forecast.freshness).toBeGreaterThan(0.9)
    expect(forecast.freshness).toBeLessThan(0.99)
    expect(forecast.freshnessError).toBeGreaterThan(0)
  })

  it('have no freshness predicted before they were compared', async () => {
    const service = await onFixedGaps(1)
    const { json } = await service.ask('GET', '/api/overview')
    expect(json).toMatchObject({
      forecast: { freshness: null, freshnessError: null, pagesKnown: 0, pagesUnknown: 1 },
    })
  })

  it('change as often for the API as for the command line', async () => {
    const service = await onFixedGaps()
    const page = await thePage(service)
    const reported = await knownPeriod(service.store, {
      planner: service.parts.plannerFor(page),
      page,
    })
    expect(reported).toBeGreaterThan(5 * hour)
    const why = await service.ask('GET', `/api/pages/${page.id}/why`)
    expect(why.json).toMatchObject({ learner: null, changePeriod: reported })
    const one = await service.ask('GET', `/api/pages/${page.id}`)
    expect(one.json).toMatchObject({ changePeriod: reported })
    const list = await service.ask('GET', '/api/pages')
    expect(list.json).toMatchObject({ pages: [{ changePeriod: reported }] })
  })

  it('are estimated once for each visit, and in passing as long as the allowance lasts', async () => {
    const service = await onFixedGaps()
    const { store, reads } = counting(service.store)
    const periods = KnownPeriods.of(store)
    const { plannerFor } = service.parts
    const page = await thePage(service)
    const allowance = { left: 0 }
    expect(await periods.inPassing(page, { plannerFor, allowance })).toBeNull()
    allowance.left = 5
    const period = await periods.inPassing(page, { plannerFor, allowance })
    expect(period).toBeGreaterThan(5 * hour)
    expect(await periods.period(page, { plannerFor })).toBe(period)
    expect([reads(), allowance.left]).toEqual([1, 4])
    const later = { ...page, visits: page.visits + 1 }
    expect(await periods.inPassing(later, { plannerFor, allowance })).toBe(period)
    expect(reads()).toBe(1)
    await periods.period(later, { plannerFor })
    expect(reads()).toBe(2)
    await periods.inPassing({ ...page, visits: 2 * page.visits }, { plannerFor, allowance })
    expect([reads(), allowance.left]).toEqual([3, 3])
  })
})
