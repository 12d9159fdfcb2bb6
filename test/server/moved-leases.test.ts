import { describe, expect, it } from 'vitest'
import { parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { type AService, aService, collection } from './a-service.js'

interface Given {
  page: string
  url: string
  token: number
  notBefore: number
  delay: number
}

/** A service with pages of hosts a and c that have moved to host b, all due. */
async function movedPages(parts: Parameters<typeof aService>[0] = {}) {
  const clock = new VirtualClock()
  const service = await aService({ clock, ...parts })
  const { ask, store, hostState } = service
  const urls = ['https://a.example/', 'https://c.example/']
  await ask('POST', '/api/pages', { pages: urls.map((url) => ({ url })) })
  for (const { page, token } of await leased(service))
    await ask('POST', '/api/reports', {
      page,
      token,
      status: 200,
      text: 'x',
      movedTo: `https://b.example/${page}`,
    })
  for (const url of urls)
    await store.changePage({ collection, url }, { due: { at: 0, reason: 'for the test' } })
  clock.at += 1000
  const requests = async (host: string) => (await hostState(host)).today.requests
  return { ...service, clock, requests, service }
}

async function leased({ ask }: AService, more: object = {}): Promise<Given[]> {
  const { json } = await ask('POST', '/api/leases', { worker: 'w1', ...more })
  return (json as { leases: Given[] }).leases
}

/** b asks for 60 s between requests, and has 53 of them left to rest. */
async function resting(moved: Awaited<ReturnType<typeof movedPages>>) {
  const { clock, hostState, putState } = moved
  const robots = {
    agent: 'revisit',
    verdict: 'rules',
    at: clock.at,
    until: clock.at + 5000,
    failures: 0,
    rules: [],
    crawlDelay: 60,
    sitemaps: [],
  } as const
  const state = { ...(await hostState('b.example')), nextAllowedAt: clock.at + 53 }
  await putState({ ...state, robots: { 'https://b.example': robots } })
}

describe('a page that has moved to another host', () => {
  it('is not given while that one rests, and waits alone', async () => {
    const moved = await movedPages()
    const { service, store, clock, ask } = moved
    await resting(moved)
    await ask('POST', '/api/pages', { pages: [{ url: 'https://a.example/other' }] })
    expect((await leased(service)).map(({ url }) => url)).toEqual(['https://a.example/other'])
    expect(await store.getPage({ collection, url: 'https://c.example/' })).toMatchObject({
      due: {
        at: clock.at + 53,
        reason: 'it has moved to b.example, which rests until then',
      },
    })
    clock.at += 53
    // The other page of a is still held, and c has its turn.
    expect(await leased(service)).toMatchObject([
      { url: 'https://b.example/2', notBefore: clock.at, delay: 60 },
    ])
  })

  it('books that one: nobody else is sent there meanwhile', async () => {
    const { service, requests, store, clock } = await movedPages()
    const before = await requests('a.example')
    expect(await leased(service)).toMatchObject([{ url: 'https://b.example/1' }])
    expect([await requests('a.example'), await requests('b.example')]).toEqual([before, 1])
    expect(await store.getHost('b.example')).toMatchObject({ blockedUntil: clock.at + 5 })
    expect(await leased(service)).toEqual([])
    clock.at += 5
    expect(await leased(service)).toMatchObject([{ url: 'https://b.example/2' }])
  })

  it('counts as one of that host, whose own page has its turn too', async () => {
    const { service, ask, clock } = await movedPages()
    await ask('POST', '/api/pages', { pages: [{ url: 'https://b.example/own' }] })
    expect(await leased(service)).toHaveLength(1)
    clock.at += 1000
    const several = await leased(service, { perHost: 2 })
    expect(several.map(({ notBefore }) => notBefore - clock.at)).toEqual([0, 5])
  })

  it('is put off to hours of its own', async () => {
    // The clock stands at 22:30 UTC.
    const hoursFor = () => parseAllowedHours('22-23')
    const moved = await movedPages({ session: { hoursFor } })
    const { service, store, clock, hostState, putState } = moved
    await putState({ ...(await hostState('b.example')), nextAllowedAt: clock.at + 3600 })
    expect(await leased(service)).toEqual([])
    const page = await store.getPage({ collection, url: 'https://a.example/' })
    expect(new Date((page!.due.at as number) * 1000).toISOString()).toBe('2023-11-15T22:00:00.000Z')
  })

  it('tells of that host in its report: its own is not punished', async () => {
    const { service, hostState, ask, store, clock } = await movedPages()
    const before = await hostState('a.example')
    const [given] = await leased(service)
    const { page, token } = given!
    const report = { page, token, status: 503, headers: { 'Retry-After': '500' }, at: clock.at }
    await ask('POST', '/api/reports', report)
    expect(await hostState('a.example')).toEqual(before)
    expect(await hostState('b.example')).toMatchObject({
      failures: 1,
      nextAllowedAt: clock.at + 500,
    })
    expect(await store.getHost('b.example')).toMatchObject({
      blockedUntil: clock.at + 500,
      state: { failures: 1 },
    })
    expect(await store.getHost('a.example')).toMatchObject({ state: { failures: 0 } })
  })

  it('is told the delay of that host after its report', async () => {
    const moved = await movedPages()
    const { service, clock, ask } = moved
    await resting(moved)
    clock.at += 53
    const [given] = await leased(service)
    const { page, token } = given!
    const answer = await ask('POST', '/api/reports', { page, token, status: 200, text: 'y' })
    expect(answer.json).toMatchObject({ fate: 'recorded', delay: 60 })
  })
})
