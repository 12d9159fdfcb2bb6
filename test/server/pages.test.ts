import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { aVisit } from '../fixtures/a-visit.js'
import { aService, collection } from './a-service.js'

describe('pages over HTTP', () => {
  it('are added, listed, changed and removed', async () => {
    const { ask } = await aService()
    const pages = [
      { url: 'https://a.example/1', group: 'g', importance: 3 },
      { url: 'HTTPS://B.example:443/2#part', settings: { headers: { Cookie: 'secret=1' } } },
    ]
    const added = await ask('POST', '/api/pages', { pages })
    const next = {
      text: expect.stringMatching(/^first visit now; again within about .* by its policy/),
    }
    expect(added).toMatchObject({
      status: 200,
      json: { added: 2, already: 0, refused: [], next, warning: null },
    })
    const list = await ask('GET', '/api/pages?sort=importance&descending=true&count=true')
    expect(list.json).toMatchObject({
      pages: [{ url: 'https://a.example/1' }, { url: 'https://b.example/2' }],
      next: null,
      total: 2,
    })
    expect(JSON.stringify(list.json)).not.toContain('secret')
    const { pages: found } = list.json as { pages: { id: string }[] }
    const path = `/api/pages/${found[0]!.id}`
    const changed = await ask('PATCH', path, {
      group: null,
      importance: 1,
      settings: { policy: 'fixed:gap=1d' },
      due: { at: 'never' },
    })
    expect(changed).toMatchObject({
      status: 200,
      json: {
        importance: 1,
        settings: { policy: 'fixed:gap=1d' },
        due: { at: 'never', reason: 'set by hand' },
      },
    })
    expect(changed.json).not.toHaveProperty('group')
    const bare = await ask('PATCH', path, { settings: { policy: null } })
    expect(bare.json).toMatchObject({ settings: {} })
    expect(await ask('DELETE', path)).toEqual({ status: 200, json: { removed: 1 } })
    expect(await ask('GET', path)).toMatchObject({
      status: 404,
      json: { error: { code: 'no-page' } },
    })
    const gone = await ask('POST', '/api/pages/remove', { pages: [found[0]!.id, found[1]!.id] })
    expect(gone.json).toEqual({ removed: 1 })
  })

  it('are told one by one why they are not taken', async () => {
    const { ask } = await aService()
    const urls = ['https://a.example/', 'ftp://a.example/', 'nonsense', 'http://127.0.0.1:8080/']
    const pages = [
      ...urls.map((url) => ({ url })),
      { url: 'https://b.example/', settings: { policy: 'no such' } },
      { url: 'https://c.example/', settings: { headers: { 'X-A': 'a\r\nHost: b' } } },
      { url: 'https://d.example/', settings: { headers: { Host: 'b' } } },
      { url: 'https://e.example/', settings: { headers: { 'user-agent': 'b' } } },
    ]
    const { json } = await ask('POST', '/api/pages', { pages })
    expect(json).toMatchObject({ added: 1, already: 0 })
    const { refused } = json as { refused: { code: string }[] }
    expect(refused.map(({ code }) => code)).toEqual([
      'bad-url',
      'bad-url',
      'address-refused',
      'unknown-policy',
      'bad-header',
      'reserved-header',
      'reserved-header',
    ])
  })

  it('are refused with the names there are where a setting is misspelt or impossible', async () => {
    const { ask, store } = await aService()
    const url = 'https://a.example/'
    const refused = async (page: object) => {
      const { status, json } = await ask('POST', '/api/pages', { pages: [{ url, ...page }] })
      expect(status).toBe(400)
      return (json as { error: { message: string } }).error.message
    }
    expect(await refused({ settings: { polcy: 'x' } })).toMatch(
      /^\/pages\/0\/settings\/polcy is not known; there are policy, objective, hours, shortest, longest/,
    )
    expect(await refused({ settings: { shortest: -5 } })).toMatch(/settings\/shortest must be > 0/)
    expect(await refused({ settings: { role: 'king' } })).toMatch(/role must be one of list/)
    expect(await refused({ policy: 'x' })).toMatch(/^\/pages\/0\/policy belongs in settings/)
    expect(await refused({ grup: 'x' })).toMatch(/there are url, group, tags, importance, settings/)
    expect(await store.countPages({ collection })).toBe(0)
    await ask('POST', '/api/pages', { pages: [{ url, settings: { shortest: 60 } }] })
    const change = (settings: object) => ask('PATCH', '/api/pages/1', { settings })
    expect(await change({ polcy: 'x' })).toMatchObject({ status: 400 })
    expect(await change({ shortest: -5 })).toMatchObject({ status: 400 })
    expect(await change({ longest: 30 })).toMatchObject({
      status: 400,
      json: { error: { code: 'bad-limits' } },
    })
    expect(await change({ reading: { selekt: ['p'] } })).toMatchObject({
      status: 400,
      json: { error: { code: 'bad-reading-rule', message: expect.stringContaining('"selekt"') } },
    })
    const all = { shortest: null, longest: 30, reading: { select: ['p'] }, discover: { depth: 1 } }
    expect(await change(all)).toMatchObject({ status: 200, json: { settings: { longest: 30 } } })
    expect(await ask('GET', '/api/pages?sortt=url')).toMatchObject({
      json: { error: { message: expect.stringMatching(/^\/sortt is not known; there are host,/) } },
    })
  })

  it('get the noise check as those of `watch` do, unless they say otherwise', async () => {
    const { ask, store } = await aService()
    const each = [{}, { noiseCheck: false }, { role: 'list' }, { found: true }]
    const pages = each.map((settings, i) => ({ url: `https://a.example/${i}`, settings }))
    await ask('POST', '/api/pages', { pages: [...pages, { url: 'https://a.example/plain' }] })
    const { pages: kept } = await store.listPages({ collection, limit: 9 })
    expect(kept.map(({ settings }) => settings.noiseCheck)).toEqual([
      true,
      false,
      undefined,
      undefined,
      true,
    ])
  })

  it('are told which content type to send', async () => {
    const { app } = await aService()
    const message = async (url: string, type: Record<string, string>) => {
      const headers = { host: 'localhost', ...type }
      const answer = await app.inject({ method: 'POST', url, headers, payload: '{}' })
      expect(answer.statusCode).toBe(415)
      return answer.json().error.message
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await message('/api/pages', form)).toMatch(/content-type of application\/json/)
    expect(await message('/api/pages', {})).toMatch(/content-type of application\/json/)
    expect(await message('/api/import/visits', form)).toMatch(/text\/csv, application\/x-ndjson/)
  })

  it('of another collection are not seen', async () => {
    const { ask, store, clock } = await aService()
    const pages = [{ url: 'https://a.example/' }]
    await store.addPages({ collection: 'other', pages, now: clock.now() })
    const page = await store.getPage({ collection: 'other', url: 'https://a.example/' })
    for (const method of ['GET', 'DELETE'])
      expect(await ask(method, `/api/pages/${page!.id}`)).toMatchObject({ status: 404 })
    expect((await ask('POST', '/api/pages/remove', { pages: [page!.id] })).json).toEqual({
      removed: 0,
    })
  })

  it('are found by stretches and by filter', async () => {
    const { ask } = await aService()
    const pages = Array.from({ length: 5 }, (_, i) => ({ url: `https://h${i % 2}.example/${i}` }))
    await ask('POST', '/api/pages', { pages })
    const seen: string[] = []
    let after = ''
    do {
      const { json } = await ask('GET', `/api/pages?limit=2${after}`)
      const { pages: some, next } = json as { pages: { url: string }[]; next: string | null }
      seen.push(...some.map(({ url }) => url))
      after = next === null ? '' : `&after=${encodeURIComponent(next)}`
    } while (after !== '')
    expect(seen).toEqual(pages.map(({ url }) => url))
    const filtered = await ask('GET', '/api/pages?host=h1.example&due=true&contains=/3')
    expect(filtered.json).toMatchObject({ pages: [{ url: 'https://h1.example/3' }] })
    expect(await ask('GET', '/api/pages?after=nonsense')).toMatchObject({
      status: 400,
      json: { error: { code: 'bad-cursor' } },
    })
  })
})

describe('visits over HTTP', () => {
  it('come by number, by page and as a history', async () => {
    const { ask, store, clock } = await aService()
    const now = clock.now()
    await ask('POST', '/api/pages', { pages: [{ url: 'https://a.example/' }] })
    const due = { at: now + 9, reason: 'a test' }
    const reported = [
      aVisit({ at: now, outcome: 'first' }),
      aVisit({ at: now + 5, outcome: 'changed', gap: 5 }),
    ]
    const ref = { collection, url: 'https://a.example/' }
    for (const visit of reported) {
      const terms = { now: visit.at, ttl: 9, worker: 'w' }
      const [lease] = await store.leasePages({ ...terms, pages: [ref] })
      await store.recordVisits([{ lease: lease!, visit, due }])
    }
    const { id } = (await store.getPage(ref))!
    const log = await ask('GET', '/api/visits?order=newest&limit=1')
    expect(log.json).toMatchObject({
      visits: [{ at: now + 5, page: { id, url: 'https://a.example/' } }],
    })
    const { visits, last } = log.json as { visits: { number: number }[]; last: number }
    expect(visits[0]!.number).toBe(last)
    expect((await ask('GET', '/api/visits?changes=true')).json).toMatchObject({
      visits: [{ outcome: 'changed' }],
    })
    expect((await ask('GET', `/api/visits?after=${last}`)).json).toEqual({ visits: [], last })
    expect((await ask('GET', `/api/pages/${id}/visits?newest=1`)).json).toEqual({
      visits: [reported[1]],
    })
    expect((await ask('GET', `/api/pages/${id}/history`)).json).toEqual({
      start: { at: now },
      observations: [{ at: now + 5, gap: 5, changed: true }],
    })
    expect((await ask('GET', '/api/status')).json).toMatchObject({ pages: 1, hosts: 1, loop: null })
  })
})

describe('pages added over HTTP', () => {
  it('tell when new ones are visited first and again, and what own limits ask for beyond the budget', async () => {
    const service = await aService({ policy: 'auto' })
    const add = async (pages: readonly object[]) =>
      (await service.ask('POST', '/api/pages', { pages })).json as {
        next: { first: number; againAfter: number; againWithin: number; text: string } | null
        warning: string | null
      }
    const pages = Array.from({ length: 6 }, (_, i) => ({ url: `https://h${i}.example/` }))
    const { next, warning } = await add(pages)
    expect(next!.first).toBe(service.clock.now())
    expect(next!.againWithin).toBeGreaterThanOrEqual(next!.againAfter)
    expect(next!.againWithin).toBeLessThan(DAY)
    expect(next!.text).toMatch(
      /^first visit now; again within about .* hours, to learn how often it changes$/,
    )
    expect(warning).toBeNull()
    expect(await add(pages)).toMatchObject({ added: 0, already: 6 })
    const own = await add([{ url: 'https://own.example/', settings: { policy: 'fixed:gap=1h' } }])
    expect(own.next!.text).toBe(
      'first visit now; again within about 60 minutes, by its policy fixed',
    )
    expect(own.warning).toBe(
      '1 page with a longest gap or a policy of its own asks for 24 requests a day (https://own.example/ 24), the budget is 7; the other 6 pages keep 3, half of what would be theirs: about 27 a day will be spent',
    )
  })
})
