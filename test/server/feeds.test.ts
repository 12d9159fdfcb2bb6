import { parseAtomFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { xmlText } from '../../src/formats/feed/write-atom.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { start, WatchedPages } from '../notify/watched-pages.js'
import { aService, collection } from './a-service.js'

const nasty = ']]><script>alert("1")</script>&amp;\u0001\ud800<!--'
const url = 'https://a.example/x?a=1&b="2"'

/** Throws where the text is no well-formed XML with names in their places. */
function wellFormed(text: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
}

async function aFeed() {
  const pages = new WatchedPages(openMemoryStore())
  await pages.add({ url, group: 'a & b' }, 'https://b.example/')
  for (const [i, page] of [url, 'https://b.example/'].entries()) {
    await pages.visit(page, { at: start + i, outcome: 'first', text: 'before' })
    await pages.visit(page, {
      at: start + 10 + i,
      outcome: 'changed',
      text: `after ${nasty.replaceAll('<', '&lt;')}`,
      title: nasty,
    })
  }
  return { pages, ...(await aService({ store: pages.store })) }
}

describe('the feed of changes', () => {
  it('is Atom with the newest change first, whatever pages say', async () => {
    const { app } = await aFeed()
    const answer = await app.inject({ url: '/feeds/changes.atom', headers: { host: 'localhost' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    wellFormed(answer.body)
    expect(answer.body).not.toContain('<script')
    const feed = parseAtomFeed(answer.body)
    expect(feed.entries?.map((entry) => entry.links?.[0]?.href)).toEqual([
      'https://b.example/',
      new URL(url).href,
    ])
    const [first] = feed.entries!
    expect(first?.title?.value).toContain('script')
    expect(first?.content?.value).toContain('- before')
    expect(first?.updated).toBe('2023-11-14T22:13:31Z')
    expect(feed.links?.[0]?.href).toBe('http://localhost/feeds/changes.atom')
    const ids = [feed.id, ...feed.entries!.map(({ id }) => id)]
    expect(new Set(ids).size).toBe(3)
  })

  it('is that of a group or a page where asked for', async () => {
    const { ask } = await aFeed()
    const urls = async (query: string) => {
      const { json, status } = await ask('GET', `/feeds/changes.atom${query}`)
      if (status !== 200) return status
      wellFormed(json)
      return parseAtomFeed(json as string).entries?.map((entry) => entry.links?.[0]?.href) ?? []
    }
    expect(await urls(`?group=${encodeURIComponent('a & b')}`)).toEqual([new URL(url).href])
    expect(await urls('?group=none')).toEqual([])
    expect(await urls('?page=2')).toEqual(['https://b.example/'])
    expect(await urls('?page=77')).toBe(404)
    expect(await urls('?colour=red')).toBe(400)
  })

  it('is answered by 304 until there is another change', async () => {
    const { app, pages } = await aFeed()
    const get = (headers: Record<string, string>) =>
      app.inject({ url: '/feeds/changes.atom', headers: { host: 'localhost', ...headers } })
    const { headers } = await get({})
    const etag = String(headers.etag)
    const since = String(headers['last-modified'])
    expect(since).toBe('Tue, 14 Nov 2023 22:13:31 GMT')
    expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get({ 'if-none-match': `"x", W/${etag}` })).statusCode).toBe(304)
    expect((await get({ 'if-modified-since': since })).statusCode).toBe(304)
    expect((await get({ 'if-none-match': '"x"', 'if-modified-since': since })).statusCode).toBe(200)
    expect((await get({ 'if-modified-since': 'nonsense' })).statusCode).toBe(200)
    await pages.visit(url, { at: start + 99, outcome: 'changed', text: 'again' })
    expect((await get({ 'if-none-match': etag })).statusCode).toBe(200)
    expect((await get({ 'if-modified-since': since })).statusCode).toBe(200)
  })

  it('without a change has a true time, the same at each poll', async () => {
    const clock = new VirtualClock()
    const { app, store } = await aService({ clock })
    const begun = clock.at
    clock.at += 50
    await store.addPages({ collection, pages: [{ url }], now: clock.at })
    const get = (query: string, headers = {}) =>
      app.inject({
        url: `/feeds/changes.atom${query}`,
        headers: { host: 'localhost', ...headers },
      })
    const times = { '': begun, '?group=zz': begun, '?page=1': clock.at }
    for (const [query, time] of Object.entries(times)) {
      clock.at += 100
      const { body, headers } = await get(query)
      wellFormed(body)
      expect(Date.parse(parseAtomFeed(body).updated ?? '') / 1000).toBe(Math.floor(time))
      // What is imported next may be older than this.
      expect(headers).not.toHaveProperty('last-modified')
      clock.at += 100
      expect((await get(query)).body).toBe(body)
      expect((await get(query, { 'if-none-match': headers.etag })).statusCode).toBe(304)
    }
  })

  it('holds fifty changes at most', async () => {
    const { ask, pages } = await aFeed()
    for (let i = 0; i < 60; i++)
      await pages.visit(url, { at: start + 100 + i, outcome: 'changed', text: `text ${i}` })
    for (const query of ['', '?page=1', '?group=a%20%26%20b']) {
      const { json } = await ask('GET', `/feeds/changes.atom${query}`)
      const { entries = [] } = parseAtomFeed(json as string)
      expect(entries).toHaveLength(50)
      expect(entries[0]?.updated).toBe('2023-11-14T22:15:59Z')
    }
  })

  it('goes on past lists that change all the time, and looks each up once', async () => {
    const list = 'https://a.example/map.xml'
    const { ask, pages } = await aFeed()
    const { store } = pages
    const found = { url: list, group: 'a & b', settings: { role: 'list' } }
    await store.addPages({ collection, pages: [found], now: start })
    for (let i = 0; i < 600; i++)
      await pages.visit(list, { at: start + 100 + i, outcome: 'changed', text: `text ${i}` })
    const looked = vi.spyOn(store, 'getPage')
    onTestFinished(() => looked.mockRestore())
    for (const [query, changes] of [
      ['', 2],
      ['?group=a%20%26%20b', 1],
    ] as const) {
      looked.mockClear()
      const { json } = await ask('GET', `/feeds/changes.atom${query}`)
      expect(parseAtomFeed(json as string).entries).toHaveLength(changes)
      expect(looked.mock.calls.length).toBeLessThan(20)
    }
  })

  it('escapes what XML cannot hold', () => {
    expect(xmlText('a\u0000\ud800b\u{1f600}<&>"\'\uffff')).toBe(
      'a\ufffd\ufffdb\u{1f600}&lt;&amp;&gt;&quot;&#39;\ufffd',
    )
  })
})
