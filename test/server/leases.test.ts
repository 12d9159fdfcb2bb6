import { describe, expect, it } from 'vitest'
import { readRobots } from '../../src/formats/robots-file.js'
import { Random } from '../../src/numeric/random.js'
import { AutoPlanners } from '../../src/planner/collection/planners.js'
import { Neighbours } from '../../src/planner/collection/siblings.js'
import { stateSummary } from '../../src/planner/learned-step.js'
import { parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import type { RobotsRecord } from '../../src/visit/politeness/robots-record.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { type AService, aService, collection } from './a-service.js'

interface Given {
  page: string
  url: string
  token: number
  notBefore: number
  expiresAt: number
  robots: string
  unconditional: boolean
  validators: object
}

async function leased({ ask }: AService, more: object = {}): Promise<Given[]> {
  const { json } = await ask('POST', '/api/leases', { worker: 'w1', ...more })
  return (json as { leases: Given[] }).leases
}

const add = ({ ask }: AService, ...urls: string[]) =>
  ask('POST', '/api/pages', { pages: urls.map((url) => ({ url })) })

describe('a fetcher of your own', () => {
  it('of one host is told when to ask for that host again, whatever is due elsewhere', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock })
    await add(service, 'https://a.example/', 'https://b.example/')
    const next = async (host: string) => {
      const { json } = await service.ask('POST', '/api/leases', { worker: 'w1', host })
      return (json as { next: number | null }).next
    }
    expect(await next('none.example')).toBeNull()
    expect(await next('a.example')).toBe(clock.at + 300)
    expect(await next('a.example')).toBe(clock.at + 300)
  })

  it('is given the headers of a page for its own site alone', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, delay: 0 })
    const { ask, store } = service
    const settings = { headers: { Cookie: 'a=b' } }
    await ask('POST', '/api/pages', { pages: [{ url: 'https://a.example/', settings }] })
    for (const [movedTo, headers] of [
      ['https://a.example/new', { Cookie: 'a=b' }],
      ['https://b.example/', { Cookie: 'a=b' }],
      [undefined, {}],
    ] as const) {
      const [lease] = await leased(service)
      expect(lease).toMatchObject({ headers })
      const { page, token } = lease!
      const moved = movedTo === undefined ? {} : { movedTo }
      await ask('POST', '/api/reports', { page, token, status: 200, text: 'x', ...moved })
      await store.changePage({ id: page }, { due: { at: 0, reason: 'for the test' } })
      clock.at += 10
    }
  })

  it('leases, fetches and reports, and the same follows as from our own visits', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock })
    const { ask, store } = service
    await add(service, 'https://a.example/')
    const [first] = await leased(service)
    expect(first).toMatchObject({
      url: 'https://a.example/',
      notBefore: clock.at,
      expiresAt: clock.at + 300,
      robots: 'unknown',
      unconditional: true,
      validators: {},
    })
    clock.at += 2
    const html = (text: string) => Buffer.from(`<title>t</title><p>${text}`).toString('base64')
    const headers = { 'Content-Type': 'text/html', ETag: '"1"' }
    const report = {
      page: first!.page,
      token: first!.token,
      status: 200,
      body: html('one'),
      headers,
      duration: 0.5,
    }
    const taken = await ask('POST', '/api/reports', report)
    expect(taken).toMatchObject({
      status: 200,
      json: { fate: 'recorded', outcome: 'first', at: clock.at, delay: 5 },
    })
    const page = (await store.getPage({ id: first!.page }))!
    expect(page).toMatchObject({ visits: 1, validators: { etag: '"1"' } })
    expect(page.due).toEqual((taken.json as { due: object }).due)
    expect(page.state?.learner).toMatch(/malcolm-armitage/)
    expect(await store.versionsOf(page)).toHaveLength(1)
    const visit = async (more: object) => {
      await store.changePage(page, { due: { at: clock.at, reason: 'a test' } })
      clock.at += 1000
      const [held] = await leased(service)
      const { json } = await ask('POST', '/api/reports', {
        page: held!.page,
        token: held!.token,
        ...more,
      })
      return (json as { outcome?: string }).outcome ?? json
    }
    expect(await visit({ status: 304 })).toBe('unchanged')
    expect(await visit({ status: 200, body: html('one'), headers })).toBe('unchanged')
    expect(await visit({ status: 200, body: html('two'), headers })).toBe('changed')
    // The visible text alone is compared with the visible text of the page.
    expect(await visit({ status: 200, text: 'two' })).toBe('unchanged')
    // A digest of another making has nothing to be compared with; then it has.
    expect(await visit({ status: 200, digest: 'd1' })).toBe('first')
    expect(await visit({ status: 200, digest: 'd1' })).toBe('unchanged')
    expect(await visit({ status: 200, digest: 'd2' })).toBe('changed')
    expect(await visit({ status: 404 })).toBe('gone')
    expect(await visit({ failure: 'timeout' })).toBe('failed')
    expect(await visit({ failure: 'robots' })).toBe('refused')
    expect(await visit({ status: 403 })).toBe('refused')
    expect(await store.getPage(page)).toMatchObject({ visits: 12, changes: 2 })
  })

  it('counts like our own visits: hints are kept and weighed, links are followed', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock })
    const { ask, store } = service
    await ask('POST', '/api/pages', {
      pages: [{ url: 'https://a.example/', settings: { discover: { depth: 1 } } }],
    })
    const report = async (more: object) => {
      clock.at += 86_400
      for (const { id } of (await store.listPages({ collection, limit: 9 })).pages)
        await store.changePage(
          { id },
          { due: { at: id === '1' ? clock.at : 'never', reason: 'a test' } },
        )
      const [held] = await leased(service)
      const name = { page: held!.page, token: held!.token }
      return ask('POST', '/api/reports', { ...name, status: 200, ...more })
    }
    const seen = (text: string) => {
      const html = `<meta name="Change-Frequency" content="DAILY"><a href="/next">n</a><p>${text}`
      const changed = new Date((clock.at + 80_000) * 1000).toUTCString()
      const headers = { 'content-type': 'text/html', 'last-modified': changed }
      return { body: Buffer.from(html).toString('base64'), headers }
    }
    for (const text of ['one', 'two', 'three']) await report(seen(text))
    const { json } = await ask('GET', '/api/pages/1/hints')
    const { reported } = json as { reported: { kind: string; predicted: number; right: number }[] }
    // Two comparisons, both changed as a moved Last-Modified says.
    expect(reported).toContainEqual(
      expect.objectContaining({
        kind: 'last-modified',
        predicted: 2,
        right: 2,
        trusted: false,
        onHost: { predicted: 2, right: 2, foundChanged: 2 },
      }),
    )
    expect((await ask('GET', '/api/hosts/a.example')).json).toMatchObject({
      hints: expect.arrayContaining([expect.objectContaining({ kind: 'last-modified', right: 2 })]),
    })
    expect(await store.getPage({ collection, url: 'https://a.example/next' })).not.toBeNull()
    // A digest tells nothing of hints: what is kept stays.
    const before = (await store.getPage({ id: '1' }))!.hints
    await report({ digest: 'd1' })
    expect((await store.getPage({ id: '1' }))!.hints).toEqual(before)
  })

  it('takes note of changes that come together, and the host says how that went', async () => {
    const clock = new VirtualClock()
    const store = openMemoryStore()
    const neighbours = new Neighbours({
      store,
      random: new Random(4),
      planners: new AutoPlanners(),
      follows: () => true,
      price: () => 600,
    })
    const service = await aService({ clock, store, policy: 'auto', session: { neighbours } })
    const { ask } = service
    await add(service, 'https://a.example/1', 'https://a.example/2')
    const report = async (page: number, text: string) => {
      const pages = [{ collection, url: `https://a.example/${page}` }]
      const [lease] = await store.leasePages({ pages, worker: 'w', now: clock.at, ttl: 60 })
      const { id } = lease!.page
      await ask('POST', '/api/reports', { page: id, token: lease!.token, status: 200, text })
      clock.at += 60
    }
    for (const page of [1, 2]) await report(page, 'one')
    clock.at += 86_400
    const changeSignal = clock.at
    for (const page of [1, 2]) await report(page, 'two')
    const reported = async () =>
      ((await ask('GET', '/api/hosts/a.example')).json as { neighbours: object }).neighbours
    const before = { on: false, lastSignal: changeSignal, visits: 1, foundChanged: 1, lift: 0 }
    expect(await reported()).toMatchObject(before)
    await report(1, 'two')
    expect(await reported()).toMatchObject(before)
  })

  it('goes on from what another policy has seen', async () => {
    const clock = new VirtualClock()
    const store = await openSqliteStore({ path: `${tempFolder()}/revisit.db` })
    const service = await aService({ clock, store, policy: 'fixed:gap=1d' })
    await add(service, 'https://a.example/')
    const visit = async ({ ask }: AService, text: string) => {
      clock.at += 2 * 86_400
      const [held] = await leased({ ...service, ask })
      return ask('POST', '/api/reports', {
        page: held!.page,
        token: held!.token,
        status: 200,
        text,
      })
    }
    for (const text of ['a', 'b', 'b', 'c']) await visit(service, text)
    const later = await aService({
      clock,
      store: service.store,
      policy: 'auto',
      delay: 0,
    })
    await visit(later, 'c')
    const page = (await store.getPage({ id: '1' }))!
    expect(page.state!.learner).toBe('auto/auto')
    // Visits and changes, in front of the learner's own numbers.
    expect(stateSummary(page.state)).toMatchObject({ visits: 5, changes: 2 })
    const { json } = await later.ask('GET', '/api/pages/1/why')
    const { posterior } = json as { posterior: { law: string; changedByNow: number } }
    expect(posterior.law).toMatch(/./)
    expect(posterior.changedByNow).toBeCloseTo(0, 6)
    expect((json as { due: { reason: string } }).due.reason).toMatch(/x the price of a request/)
  })

  it('may send a report again: it is counted once, after a restart too', async () => {
    const path = `${tempFolder()}/revisit.db`
    const clock = new VirtualClock()
    const service = await aService({ clock, store: await openSqliteStore({ path }) })
    await add(service, 'https://a.example/')
    const [held] = await leased(service)
    clock.at += 1
    const report = { page: held!.page, token: held!.token, status: 200, text: 'x', at: clock.at }
    const { ask } = service
    const first = await ask('POST', '/api/reports', report)
    expect(first.json).toMatchObject({ fate: 'recorded' })
    expect(await ask('POST', '/api/reports', report)).toEqual({
      status: 200,
      json: { ...(first.json as object), fate: 'already' },
    })
    const later = await aService({ clock, store: await openSqliteStore({ path }) })
    expect(await later.ask('POST', '/api/reports', report)).toMatchObject({
      status: 200,
      json: { fate: 'already', outcome: 'first' },
    })
    expect(await later.store.getPage({ id: held!.page })).toMatchObject({ visits: 1 })
  })

  it('gets the same answer from another process, by the row of the page alone', async () => {
    const path = `${tempFolder()}/revisit.db`
    const clock = new VirtualClock()
    const service = await aService({ clock, store: await openSqliteStore({ path }) })
    await add(service, 'https://a.example/')
    const [held] = await leased(service)
    clock.at += 1
    // Nothing in it tells when the visit was.
    const report = { page: held!.page, token: held!.token, status: 200, text: 'x' }
    const first = await service.ask('POST', '/api/reports', report)
    expect(first).toMatchObject({ status: 200, json: { fate: 'recorded' } })
    const host = await service.store.getHost('a.example')
    clock.at += 7
    const other = await aService({ clock, store: await openSqliteStore({ path }) })
    expect(await other.ask('POST', '/api/reports', report)).toEqual({
      status: 200,
      json: { ...(first.json as object), fate: 'already' },
    })
    expect(await other.store.getPage({ id: held!.page })).toMatchObject({ visits: 1 })
    expect(await other.store.getHost('a.example')).toEqual(host)
    // One that was never reported is not taken for one that was.
    const wrong = { ...report, token: report.token + 1 }
    expect(await other.ask('POST', '/api/reports', wrong)).toMatchObject({
      status: 409,
      json: { error: { code: 'lease-lost' } },
    })
  })

  it('is told 409 once its lease has gone to another', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock })
    const { ask, hostState } = service
    await add(service, 'https://a.example/')
    const [early] = await leased(service, { ttl: 10 })
    clock.at += 11
    const [late] = await leased(service, { worker: 'w2' })
    expect(late!.token).toBeGreaterThan(early!.token)
    const report = (held: Given) => ({ page: held.page, token: held.token, failure: 'timeout' })
    const resting = await hostState('a.example')
    expect(await ask('POST', '/api/reports', report(early!))).toMatchObject({
      status: 409,
      json: { error: { code: 'lease-lost' } },
    })
    // And what it told of the host counts for nothing.
    expect(await hostState('a.example')).toEqual(resting)
    const names = [early!, late!].map(({ page, token }) => ({ page, token }))
    expect(
      (await ask('POST', '/api/leases/extend', { leases: names, ttl: 500 })).json,
    ).toMatchObject({
      extended: [{ held: false }, { held: true }],
      expiresAt: clock.at + 500,
    })
    expect((await ask('POST', '/api/leases/release', { leases: names })).json).toEqual({
      released: 1,
    })
    expect(await ask('POST', '/api/reports', report(late!))).toMatchObject({ status: 409 })
    clock.at += 10
    await leased(service, { worker: 'w3' })
    expect((await ask('POST', '/api/leases/release', { worker: 'w3' })).json).toEqual({
      released: 1,
    })
  })

  it('gets one page of a host at a time, after its delay, and backs off with it', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, delay: 5 })
    const { ask } = service
    await add(service, 'https://a.example/1', 'https://a.example/2', 'https://b.example/')
    const given = await leased(service)
    expect(given.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://b.example/'])
    expect(await leased(service)).toEqual([])
    clock.at += 3
    const [a] = given
    await ask('POST', '/api/reports', { page: a!.page, token: a!.token, status: 200, text: 'x' })
    clock.at += 4
    // The delay counts from the end of the request: 5 s after the report.
    expect(await leased(service)).toEqual([])
    clock.at += 1
    const [second] = await leased(service)
    expect(second!.url).toBe('https://a.example/2')
    const wait = { status: 503, headers: { 'Retry-After': '120' } }
    await ask('POST', '/api/reports', { page: second!.page, token: second!.token, ...wait })
    await add(service, 'https://a.example/3')
    clock.at += 119
    expect(await leased(service, { host: 'a.example' })).toEqual([])
    clock.at += 1
    expect(await leased(service, { host: 'a.example' })).toHaveLength(1)
    const { json } = await ask('GET', '/api/hosts/a.example')
    expect(json).toMatchObject({ pages: 3, delay: 5, failures: 1, requestsToday: 3 })
  })

  it('gets no more pages than the budget of all requests allows, and no host rests for it', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, requestsPerDay: 2 })
    const hosts = ['a', 'b', 'c'].map((name) => `${name}.example`)
    await add(service, ...hosts.map((host) => `https://${host}/`))
    const tomorrow = (Math.floor(clock.at / 86_400) + 1) * 86_400
    expect(await leased(service)).toHaveLength(2)
    const { json } = await service.ask('POST', '/api/leases', { worker: 'w1' })
    expect(json).toEqual({ leases: [], next: tomorrow })
    const last = await service.store.getHost('c.example')
    expect(last?.blockedUntil ?? null).toBeNull()
    clock.at = tomorrow
    expect(await leased(service, { host: 'c.example' })).toHaveLength(1)
  })

  it('gets several pages of a host if it asks, each after the delay of the one before', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock, delay: 5 })
    await add(service, ...[1, 2, 3].map((n) => `https://a.example/${n}`))
    const given = await leased(service, { perHost: 3, ttl: 60 })
    expect(given.map(({ notBefore }) => notBefore - clock.at)).toEqual([0, 5, 10])
    expect(await leased(service, { perHost: 4 })).toEqual([])
  })

  it('gets no page that robots.txt forbids, and none outside its hours', async () => {
    // 1.7e9 is a Tuesday, 22:13 UTC.
    const clock = new VirtualClock()
    const service = await aService({
      clock,
      session: {
        hoursFor: ({ url }) => (url.endsWith('/office') ? parseAllowedHours('8-18') : null),
      },
    })
    const { hostState, putState, store } = service
    const rules = {
      ...robotsOf(clock.at),
      ...readRobots('User-agent: *\nDisallow: /', { agent: 'revisit' }),
    }
    await putState({ ...(await hostState('a.example')), robots: { 'https://a.example': rules } })
    await add(service, 'https://a.example/1', 'https://b.example/', 'https://c.example/office')
    expect((await leased(service)).map(({ url }) => url)).toEqual(['https://b.example/'])
    const page = await store.getPage({ collection, url: 'https://a.example/1' })
    expect(page).toMatchObject({ lastVisit: { outcome: 'refused' }, failing: 1 })
    expect(page!.due.reason).toContain('robots.txt')
    const office = await store.getPage({ collection, url: 'https://c.example/office' })
    // By hand: 22:13:20 to 08:00 of the next day.
    expect(office!.due.at).toBe(clock.at + 9 * 3600 + 46 * 60 + 40)
  })
  it('gets no page of a host whose robots.txt could not be had, until that is asked for again', async () => {
    const clock = new VirtualClock()
    const service = await aService({ clock })
    const { hostState, putState, store } = service
    const missing = { ...robotsOf(clock.at), verdict: 'disallow-all', failures: 1 } as const
    await putState({ ...(await hostState('a.example')), robots: { 'https://a.example': missing } })
    await add(service, 'https://a.example/1')
    expect(await leased(service)).toEqual([])
    const page = await store.getPage({ collection, url: 'https://a.example/1' })
    expect(page).toMatchObject({ lastVisit: null, failing: 0 })
    expect(await store.getHost('a.example')).toMatchObject({ blockedUntil: clock.at + 1000 })
    clock.at += 1000
    expect(await leased(service)).toMatchObject([{ robots: 'unknown' }])
  })
})

/** A record of a robots.txt without rules that counts for 1,000 s. */
function robotsOf(at: number): RobotsRecord {
  const rules = { rules: [], crawlDelay: null, sitemaps: [] }
  return { agent: 'revisit', verdict: 'rules', at, until: at + 1000, failures: 0, ...rules }
}
