import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { type AService, aService, collection } from './a-service.js'

interface Budget {
  readonly requestsPerDay: number | null
  readonly source: string
  readonly predicted: number
  readonly settling: boolean
  readonly curve: readonly { requestsPerDay: number; freshness: number }[]
  readonly hosts: readonly { host: string; pages: number; requestsPerDay: number }[]
  readonly fewer: { requestsPerDay: number; freshness: number }
  readonly more: { requestsPerDay: number; freshness: number }
  readonly pages: number
  readonly sampled: number
}

/** 30 pages of 3 hosts with 12 daily visits each; page i changed at every (i % 4 + 1)th. */
async function followed(service: AService, clock: VirtualClock): Promise<void> {
  const lines = ['url,at,changed']
  for (let i = 0; i < 30; i++)
    for (let day = 0; day < 12; day++) {
      const outcome = day === 0 ? 'first' : day % ((i % 4) + 1) === 0 ? 'changed' : 'unchanged'
      lines.push(`https://h${i % 3}.example/${i},${clock.at - (12 - day) * DAY},${outcome}`)
    }
  const headers = { host: 'localhost', 'content-type': 'text/csv' }
  const url = '/api/import/visits'
  const payload = lines.join('\n')
  const answer = await service.app.inject({ method: 'POST', url, headers, payload })
  expect(answer.json()).toMatchObject({ newPages: 30, visits: 360 })
}

async function gaps({ store }: AService): Promise<number[]> {
  const { pages } = await store.listPages({ collection, limit: 100 })
  return pages.map(({ due, lastSeen }) => (due.at as number) - lastSeen!)
}

async function settled({ ask }: AService): Promise<Budget> {
  await expect
    .poll(async () => ((await ask('GET', '/api/budget')).json as Budget).settling)
    .toBe(false)
  return (await ask('GET', '/api/budget')).json
}

const put = ({ ask }: AService, requestsPerDay: unknown) =>
  ask('PUT', '/api/budget', { requestsPerDay })
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('the budget', () => {
  it('tells of limits of single pages that ask for more than it leaves, in numbers that agree', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, policy: 'auto' })
    await followed(service, clock)
    expect((await service.ask('GET', '/api/budget')).json).toMatchObject({ promises: null })
    const pages = [{ url: 'https://own.example/', settings: { policy: 'fixed:gap=10min' } }]
    const limited = await aService({ clock, policy: 'auto' })
    await followed(limited, clock)
    await limited.ask('POST', '/api/pages', { pages })
    const { json } = await limited.ask('GET', '/api/budget')
    expect(json).toMatchObject({ requestsPerDay: 31, promises: { pages: 1, requestsPerDay: 144 } })
    const { promises, hosts, fewer, more } = json as Budget & {
      promises: { leastShare: number; spent: number; warning: string }
    }
    expect(promises.spent).toBeCloseTo(144 + 15, 6)
    expect(promises.leastShare * 31).toBeCloseTo(15, 6)
    expect(promises.warning).toContain('https://own.example/ 144), the budget is 31; the other 30')
    expect(promises.warning).toContain('about 159 a day will be spent')
    const spread = hosts.reduce((sum, each) => sum + each.requestsPerDay, 0)
    expect(Math.abs(spread / promises.spent - 1)).toBeLessThan(0.02)
    expect(fewer.requestsPerDay).toBeLessThan(spread)
    expect(more.requestsPerDay).toBeGreaterThan(spread)
    expect(more.freshness).toBeGreaterThan(fewer.freshness)
  })

  it('is told with what it and others would buy', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, policy: 'auto' })
    await followed(service, clock)
    const { status, json } = await service.ask('GET', '/api/budget')
    expect(status).toBe(200)
    const { curve, hosts, fewer, more, predicted } = json as Budget
    expect(json).toMatchObject({
      requestsPerDay: 30,
      source: 'configuration',
      configured: 30,
      pages: 30,
      sampled: 30,
      ownPolicies: 0,
    })
    expect(curve.length).toBeGreaterThan(8)
    for (const [i, point] of curve.entries()) {
      const before = curve[i - 1] ?? { requestsPerDay: 0, freshness: 0 }
      expect(point.requestsPerDay).toBeGreaterThan(before.requestsPerDay)
      expect(point.freshness).toBeGreaterThanOrEqual(before.freshness)
    }
    expect(fewer.freshness).toBeLessThan(predicted)
    expect(more.freshness).toBeGreaterThan(predicted)
    // Gaps are whole hours, so a budget is met to some percent.
    expect(Math.abs(fewer.requestsPerDay / 24 - 1)).toBeLessThan(0.1)
    expect(Math.abs(more.requestsPerDay / 36 - 1)).toBeLessThan(0.1)
    expect(hosts.map(({ pages }) => pages)).toEqual([10, 10, 10])
    const spread = hosts.reduce((sum, each) => sum + each.requestsPerDay, 0)
    expect(Math.abs(spread / 30 - 1)).toBeLessThan(0.1)
  })

  it('can be changed: price and due times follow at once, both ways', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, policy: 'auto' })
    await followed(service, clock)
    await put(service, 60)
    const many = await settled(service)
    const often = await gaps(service)
    expect((await put(service, 6)).json).toMatchObject({ requestsPerDay: 6, source: 'set' })
    const few = await settled(service)
    const seldom = await gaps(service)
    expect(few.predicted).toBeLessThan(many.predicted)
    expect(mean(seldom)).toBeGreaterThan(2 * mean(often))
    // Few alike pages at one hour of the week: their gaps come to the budget only roughly.
    const asked = seldom.reduce((sum, gap) => sum + DAY / gap, 0)
    expect(asked).toBeGreaterThan(6 * 0.5)
    expect(asked).toBeLessThan(6 * 1.6)
    const back = await put(service, null)
    expect(back.json).toMatchObject({ requestsPerDay: 30, source: 'configuration' })
  })

  it('outlasts a restart, and gives way to a configuration that was changed since', async () => {
    const path = `${tempFolder()}/revisit.db`
    const clock = new VirtualClock()
    const service = await aService({
      clock,
      policy: 'auto',
      store: await openSqliteStore({ path }),
    })
    await followed(service, clock)
    await put(service, 12)
    await settled(service)
    const { price } = service.parts.controller!
    const later = await aService({ clock, policy: 'auto', store: await openSqliteStore({ path }) })
    expect(await settled(later)).toMatchObject({
      requestsPerDay: 12,
      source: 'set',
      configured: 30,
    })
    expect(later.parts.controller!.price).toBe(price)
    const other = await aService({
      clock,
      policy: 'auto',
      budget: { perPage: 3 },
      store: await openSqliteStore({ path }),
    })
    expect(await settled(other)).toMatchObject({ requestsPerDay: 90, source: 'configuration' })
  })

  it('refuses what is none, and has no curve where nothing is followed', async () => {
    const service = await aService({ policy: 'auto' })
    for (const wrong of [0, -3, 'many', undefined, 1e10])
      expect((await put(service, wrong)).status).toBe(400)
    expect((await service.ask('GET', '/api/budget')).json).toMatchObject({
      requestsPerDay: 0,
      curve: [],
      hosts: [],
      predicted: null,
      pages: 0,
    })
  })

  it('leaves pages with policies of their own alone', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock })
    await followed(service, clock)
    const before = await gaps(service)
    await put(service, 1)
    expect(await settled(service)).toMatchObject({ ownPolicies: 30 })
    expect(await gaps(service)).toEqual(before)
  })

  it('is in the metrics, with the freshness that is predicted once it is known', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, policy: 'auto' })
    const metrics = async () => (await service.ask('GET', '/metrics')).json as string
    expect(await metrics()).not.toContain('revisit_predicted_freshness')
    await followed(service, clock)
    await service.parts.controller!.refresh({ now: clock.at })
    const text = await metrics()
    expect(text).toContain('revisit_budget_requests_per_day 30\n')
    const [, share] = /^revisit_predicted_freshness (\S+)$/m.exec(text)!
    expect(Number(share)).toBe(service.parts.controller!.predicted)
  })
})
