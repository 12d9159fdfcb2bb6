import { describe, expect, it } from 'vitest'
import { dashboardRoutes } from '../../src/server/dashboard.js'
import { Keys } from '../../src/server/safety/keys.js'
import { aVisit } from '../fixtures/a-visit.js'
import { aService, collection } from './a-service.js'

const page = { pages: [{ url: 'https://a.example/' }] }

describe('who may ask', () => {
  it('needs a key off loopback, and the right one', async () => {
    const { app, store } = await aService({ options: { host: '0.0.0.0' } })
    const key = await new Keys({ store, collection }).add('reader', 1)
    const ask = (url: string, headers: Record<string, string> = {}) =>
      app.inject({ url, headers: { host: '192.0.2.1:7400', ...headers } })
    const code = async (url: string, headers?: Record<string, string>) => {
      const answer = await ask(url, headers)
      return answer.statusCode === 200 ? 'ok' : answer.json().error.code
    }
    for (const url of ['/api/pages', '/api/events', '/metrics', '/openapi.json', '/docs', '/none'])
      expect(await code(url), url).toBe('key-needed')
    for (const wrong of [`${key}x`, key.slice(1), 'rv_', '\u00e9', `${key} ${key}`])
      expect(await code('/api/pages', { authorization: `Bearer ${wrong}` })).not.toBe('ok')
    expect(await code('/api/pages', { authorization: `Basic ${key}` })).toBe('key-needed')
    expect(await code('/api/pages', { authorization: `Bearer ${key}` })).toBe('ok')
    // A key in a cookie is none: only sessions are.
    for (const name of ['revisit-key', 'revisit-session'])
      expect(await code('/api/pages', { cookie: `a=b; ${name}=${key}` })).not.toBe('ok')
    expect(await code('/health')).toBe('ok')
    expect(await code('/ready')).toBe('ok')
    // No way around it by how the path is written.
    for (const url of [
      '/health/../api/pages',
      '/health%2f..%2fapi/pages',
      '//health',
      '/api/pages?x=/health',
    ])
      expect(await code(url), url).not.toBe('ok')
  })

  it('answers nothing of any route without the right key or session', async () => {
    const { app, ask } = await aService({ parts: { routes: [dashboardRoutes()] } })
    const { paths } = (await ask('GET', '/openapi.json')).json as { paths: Record<string, object> }
    await app.close()
    const guarded = await aService({
      options: { requireKey: true },
      parts: { routes: [dashboardRoutes()] },
    })
    const key = await new Keys({ store: guarded.store, collection }).add('reader', 1)
    const wrong = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${key.slice(0, -1)}` },
      { authorization: `Basic ${Buffer.from(key).toString('base64')}` },
      { authorization: `Bearer ${key.toUpperCase()}` },
      { cookie: `revisit-session=${key}` },
      { cookie: 'revisit-session=constructor' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost' },
    ]
    let checks = 0
    for (const [path, methods] of Object.entries(paths)) {
      if (['/health', '/ready', '/api/session'].includes(path)) continue
      const url = path.replace(/\{\w+\}/g, '1')
      for (const method of [...Object.keys(methods), 'head'])
        for (const headers of wrong) {
          const { statusCode } = await guarded.app.inject({
            method: method.toUpperCase() as 'GET',
            url,
            headers: { host: 'localhost', ...headers },
          })
          expect(statusCode, `${method} ${url} ${JSON.stringify(headers)}`).toBe(401)
          checks++
        }
    }
    expect(checks).toBeGreaterThan(383)
  })

  it('asks for a key where a proxy may stand in front, or where it is told to', async () => {
    for (const options of [{ allowedHosts: ['revisit.example'] }, { requireKey: true }]) {
      const { ask } = await aService({ options })
      expect(await ask('GET', '/api/pages')).toMatchObject({ status: 401 })
    }
  })

  it('keeps keys as digests, and forgets those that are removed', async () => {
    const { store } = await aService()
    const keys = new Keys({ store, collection })
    const key = await keys.add('one', 1)
    expect(key).toMatch(/^rv_[\w-]{43}$/)
    expect(JSON.stringify(await store.settings(collection))).not.toContain(key)
    expect(await keys.nameOf(key, 10)).toBe('one')
    await expect(keys.add('one', 2)).rejects.toMatchObject({ code: 'key-exists' })
    await expect(keys.add('../x', 2)).rejects.toMatchObject({ code: 'bad-name' })
    expect(await keys.remove('one')).toBe(true)
    expect(await keys.remove('one')).toBe(false)
    // Within a second it may still be remembered.
    expect(await keys.nameOf(key, 12)).toBeUndefined()
  })
})

describe('what a page of another site can do', () => {
  it('is nothing by a name of its own (DNS rebinding)', async () => {
    const { app } = await aService({ options: { allowedHosts: ['ours.localhost'] } })
    const ask = async (host: string) =>
      (await app.inject({ url: '/api/pages', headers: { host } })).statusCode
    for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:7400', 'a b'])
      expect(await ask(host), host).toBeGreaterThanOrEqual(400)
    for (const host of [
      'localhost',
      'LOCALHOST:7400',
      '127.0.0.1:7400',
      '[::1]:7400',
      'ours.localhost',
    ])
      expect(await ask(host), host).toBe(200)
  })

  it('is not to write (CSRF)', async () => {
    const { app, store } = await aService()
    const post = async (headers: Record<string, string>, payload: string = JSON.stringify(page)) =>
      app.inject({
        method: 'POST',
        url: '/api/pages',
        headers: { host: 'localhost:7400', 'content-type': 'application/json', ...headers },
        payload,
      })
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:9999' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect((await post(headers as never)).json()).toMatchObject({
        error: { code: 'foreign-origin' },
      })
    // Types that a form can send without being asked back.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await post({ 'content-type': type })).json()).toMatchObject({
        error: { code: 'bad-content-type' },
      })
    expect(await store.countPages({ collection })).toBe(0)
    const ours = { origin: 'http://localhost:7400', 'sec-fetch-site': 'same-origin' }
    expect((await post(ours)).statusCode).toBe(200)
  })

  it('is not to read, frame or run what we answer', async () => {
    const { app } = await aService()
    const { headers } = await app.inject({
      url: '/api/pages',
      headers: { host: 'localhost', origin: 'https://evil.example' },
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
})

describe('what is stored', () => {
  it('does not run when it is shown', async () => {
    const { app, store, clock, ask } = await aService()
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>'
    await ask('POST', '/api/pages', {
      pages: [{ url: `https://a.example/?q=${evil}`, group: evil }],
    })
    const { json } = await ask('GET', '/api/pages')
    const { id } = (json as { pages: { id: string }[] }).pages[0]!
    const now = clock.now()
    const [lease] = await store.leasePages({ pages: [{ id }], now, ttl: 9, worker: 'w' })
    const content = { body: Buffer.from(`<p>text${evil}`), mediaType: 'text/html' }
    const due = { at: now, reason: evil }
    const visit = aVisit({ at: now, outcome: 'first' })
    await store.recordVisits([{ lease: lease!, visit, due, content }])
    const versions = await ask('GET', `/api/pages/${id}/versions`)
    const { digest } = (versions.json as { versions: { digest: string }[] }).versions[0]!
    const show = (what: string) =>
      app.inject({
        url: `/api/pages/${id}/versions/${digest}/${what}`,
        headers: { host: 'localhost' },
      })
    for (const what of ['text', 'source']) {
      const { headers } = await show(what)
      expect(headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    const frame = await show('frame')
    expect(frame.headers['content-type']).toBe('text/html; charset=utf-8')
    const csp = String(frame.headers['content-security-policy'])
    expect(csp).toMatch(/^sandbox; default-src 'none'/)
    expect(csp).not.toMatch(/allow-scripts|allow-same-origin|script-src/)
    for (const url of [
      `/api/pages/${id}`,
      `/api/pages/${id}/why`,
      '/api/visits',
      '/api/export/pages',
    ])
      expect(
        (await app.inject({ url, headers: { host: 'localhost' } })).headers['content-type'],
      ).toMatch(/^application\/(json|x-ndjson)/)
  })

  it('is not reached by paths that climb', async () => {
    const { app } = await aService()
    const climbing = [
      '/../../etc/passwd',
      '/docs/../../package.json',
      '/api/pages/..%2f..%2fetc%2fpasswd',
      '/api/pages/%2e%2e/x',
      '/api/pages/1/versions/..%2f..%2f/text',
      '/%00',
      '/%',
    ]
    for (const url of climbing) {
      const { statusCode, json } = await app.inject({ url, headers: { host: 'localhost' } })
      expect(statusCode, url).toBeGreaterThanOrEqual(400)
      expect(statusCode, url).toBeLessThan(500)
      expect(json(), url).toMatchObject({ error: { code: expect.any(String) } })
    }
  })
})

describe('private addresses', () => {
  const inside = [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://localhost:22/',
    'http://a.localhost/',
    'http://localhost./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://192.168.1.1/',
    'http://0.0.0.0/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
  ]

  it('are not added, in whatever form they are written, unless they are allowed', async () => {
    const { ask, store } = await aService()
    const { json } = await ask('POST', '/api/pages', { pages: inside.map((url) => ({ url })) })
    expect(json).toMatchObject({ added: 0 })
    expect((json as { refused: unknown[] }).refused).toHaveLength(inside.length)
    const imported = await ask('POST', '/api/pages', {
      pages: [{ url: 'http://user:x@127.0.0.1/' }],
    })
    expect(imported.json).toMatchObject({ added: 0 })
    expect(await store.countPages({ collection })).toBe(0)
    const open = await aService({ allowedNetworks: ['127.0.0.0/8'] })
    const local = { pages: [{ url: 'http://127.0.0.1:8080/' }, { url: 'http://10.0.0.1/' }] }
    expect((await open.ask('POST', '/api/pages', local)).json).toMatchObject({ added: 1 })
  })

  it('are not let in by import or by where a page is said to have moved', async () => {
    const { app, ask, store } = await aService()
    const send = (url: string, type: string, payload: string) =>
      app.inject({
        method: 'POST',
        url,
        headers: { host: 'localhost', 'content-type': type },
        payload,
      })
    const list = await send('/api/import/pages', 'text/uri-list', inside.join('\r\n'))
    expect(list.json()).toMatchObject({ added: 0, refused: inside.length })
    const rows = inside.map((url) => `${url},1600000000,changed`)
    const log = await send('/api/import/visits', 'text/csv', `url,at,changed\n${rows.join('\n')}\n`)
    expect(log.json()).toMatchObject({ newPages: 0, badLines: inside.length })
    expect(await store.countPages({ collection })).toBe(0)
    await ask('POST', '/api/pages', page)
    const lease = await ask('POST', '/api/leases', { worker: 'w' })
    const [held] = (lease.json as { leases: { page: string; token: number }[] }).leases
    const { page: id, token } = held!
    const moved = { page: id, token, status: 200, text: 'x', movedTo: 'http://169.254.169.254/' }
    expect(await ask('POST', '/api/reports', moved)).toMatchObject({
      status: 400,
      json: { error: { code: 'address-refused' } },
    })
  })
})

describe('routes of others', () => {
  it('are as safe as our own', async () => {
    const { app } = await aService({
      options: { requireKey: true },
      parts: {
        routes: [(inside) => void inside.get('/extra', async () => ({ status: 'ok' }))],
      },
    })
    const ask = (host: string) => app.inject({ url: '/extra', headers: { host } })
    expect((await ask('localhost')).statusCode).toBe(401)
    expect((await ask('evil.example')).statusCode).toBe(421)
    expect((await ask('localhost')).headers['content-security-policy']).toMatch(
      /^default-src 'none'/,
    )
  })
})

describe('limits', () => {
  it('hold on the length of a body and the number of requests', async () => {
    const { ask, app, clock } = await aService({
      options: { bodyBytes: 1000, requestsPerSecond: 2 },
    })
    const long = { pages: [{ url: `https://a.example/${'x'.repeat(2000)}` }] }
    expect(await ask('POST', '/api/pages', long)).toMatchObject({
      status: 413,
      json: { error: { code: 'too-large' } },
    })
    const codes = []
    for (let i = 0; i < 12; i++) codes.push((await ask('GET', '/health')).status)
    // Two a second with five seconds in reserve: ten, and one was spent above.
    expect(codes.filter((code) => code === 200)).toHaveLength(9)
    const { headers } = await app.inject({ url: '/health', headers: { host: 'localhost' } })
    expect(headers['retry-after']).toBe('1')
    await clock.sleep(1)
    expect((await ask('GET', '/health')).status).toBe(200)
  })
})
