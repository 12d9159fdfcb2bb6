import { describe, expect, it } from 'vitest'
import { withPicture } from '../../src/content/kept-picture.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { WatchedPages } from '../notify/watched-pages.js'
import { aService, collection } from './a-service.js'

const url = 'https://a.example/lamp'

/** Twelve versions: the visitors differ in each, the price in two; the first has a part that the others have not. */
async function lamp() {
  const store = openMemoryStore({ retention: { newest: 50, youngerThan: 0 } })
  const service = await aService({ store })
  const pages = new WatchedPages(store)
  await store.addPages({ collection, now: 1000, pages: [{ url }] })
  for (let i = 0; i < 12; i++) {
    const price = i < 5 ? 10 : i < 9 ? 12 : 11
    const opening = i === 0 ? '<div id="opening"><p>Opening day</p></div>' : ''
    const text = `The lamp</p><p class="price">Price: ${price} euros</p><div id="visitors"><p>${i} visitors now</p></div>${opening}<p>end`
    await pages.visit(url, { at: 2000 + i, outcome: i === 0 ? 'first' : 'changed', text })
  }
  const { id } = (await store.getPage({ collection, url }))!
  return { ...service, id }
}

interface Found {
  readonly rule: object
  readonly reading: object
  readonly lines: string
}

interface Tried {
  readonly changes: { readonly before: boolean; readonly after: boolean }[]
}

describe('POST /api/pages/{id}/rule', () => {
  it('makes a rule to ignore a part, with what it would have done to the last ten versions', async () => {
    const { ask, id } = await lamp()
    const body = { line: '11 visitors now', action: 'ignore' }
    const { json } = await ask('POST', `/api/pages/${id}/rule`, body)
    const { rule, lines, reading } = json as Found
    const tried = await ask('POST', `/api/pages/${id}/trial`, { reading })
    const { changes: versions } = tried.json as Tried
    expect(lines).toBe('^\\s*\\d+ visitors now\\s*$')
    expect(rule).toEqual({ kind: 'selector', value: '#visitors p' })
    expect(reading).toEqual({ ignore: ['#visitors p'] })
    expect(versions).toHaveLength(10)
    expect(versions.every(({ before }) => before)).toBe(true)
    expect(versions.map(({ after }) => after)).toEqual(
      // The newest first: the price changed at the tenth and at the sixth version.
      [false, false, true, false, false, false, true, false, false, false],
    )
    const saved = await ask('PATCH', `/api/pages/${id}`, { settings: { reading } })
    expect(saved.status).toBe(200)
  })

  it('makes a rule to watch a part alone, from a line that went', async () => {
    const { ask, id } = await lamp()
    const { json } = await ask('POST', `/api/pages/${id}/rule`, {
      line: 'Price: 12 euros',
      action: 'watch',
    })
    const { reading } = json as Found
    expect(reading).toEqual({ select: ['p.price'] })
    const tried = await ask('POST', `/api/pages/${id}/trial`, { reading })
    expect((tried.json as Tried).changes.filter(({ after }) => after)).toHaveLength(2)
  })

  it('takes the part from the version that is named, also from one older than the last ten', async () => {
    const { ask, id, store } = await lamp()
    const page = { collection, url }
    const [oldest] = await store.versionsOf(page)
    const rule = async (digest?: string) => {
      const body = { line: 'Opening day', action: 'ignore', digest }
      return ((await ask('POST', `/api/pages/${id}/rule`, body)).json as Found).rule
    }
    expect(await rule(oldest!.digest)).toEqual({ kind: 'selector', value: '#opening p' })
    // The last ones have no such line; what is not kept is no fault.
    const byLines = { kind: 'lines', value: '^\\s*Opening day\\s*$' }
    expect(await rule()).toEqual(byLines)
    expect(await rule('0'.repeat(64))).toEqual(byLines)
  })

  it('takes the part of a page that is kept with a large screenshot', async () => {
    const { ask, store } = await aService()
    await store.addPages({ collection, now: 1000, pages: [{ url }] })
    const [lease] = await store.leasePages({
      pages: [{ collection, url }],
      now: 2000,
      ttl: 60,
      worker: 'test',
    })
    const html = '<!doctype html><title>Lamp</title><body><p id="price">12 euros</p>'
    const picture = new Uint8Array(2_000_000)
    picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    const body = withPicture(new TextEncoder().encode(html), picture)
    await store.recordVisits([
      {
        lease: lease!,
        visit: aVisit({ at: 2000, outcome: 'first' }),
        due: { at: 3000, reason: 'a test' },
        content: { body, mediaType: 'text/html; charset=utf-8' },
      },
    ])
    const { id } = lease!.page
    const { json } = await ask('POST', `/api/pages/${id}/rule`, {
      line: '12 euros',
      action: 'watch',
    })
    expect((json as Found).rule).toEqual({ kind: 'selector', value: '#price' })
  })

  it('is one by lines where no content is kept', async () => {
    const { ask, store } = await aService()
    await store.addPages({ collection, now: 1000, pages: [{ url }] })
    const { id } = (await store.getPage({ collection, url }))!
    const body = { line: '12 visitors now', action: 'ignore' }
    const { status, json } = await ask('POST', `/api/pages/${id}/rule`, body)
    expect(status).toBe(200)
    expect(json).toEqual({
      rule: { kind: 'lines', value: '^\\s*\\d+ visitors now\\s*$' },
      lines: '^\\s*\\d+ visitors now\\s*$',
      reading: { ignoreLines: ['^\\s*\\d+ visitors now\\s*$'] },
    })
  })

  it('is one for empty lines where one came or went, as in plain text', async () => {
    const { ask, id } = await lamp()
    const { status, json } = await ask('POST', `/api/pages/${id}/rule`, {
      line: '',
      action: 'ignore',
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ lines: '^\\s*$', reading: { ignoreLines: ['^\\s*$'] } })
  })

  it('says where there is no such part, and saves nothing', async () => {
    const { ask, id, store } = await lamp()
    expect(
      await ask('POST', `/api/pages/${id}/rule`, { line: 'end', action: 'watch' }),
    ).toMatchObject({
      status: 409,
      json: { error: { code: 'no-part' } },
    })
    expect((await store.getPage({ collection, url }))!.settings).toEqual({})
    expect((await ask('POST', '/api/pages/999/rule', { line: 'x', action: 'ignore' })).status).toBe(
      404,
    )
  })
})
