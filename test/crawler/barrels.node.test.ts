import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { pageReader } from '../../src/content/page-reader.js'
import {
  BarrelCycles,
  BarrelService,
  barrelNames,
  barrelOfPage,
} from '../../src/crawler/barrels.js'
import { openCrawler } from '../../src/crawler/open-crawler.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import type { Store } from '../../src/model/store.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { publisherReader } from '../../src/visit/discovery.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import { localServer } from '../fixtures/local-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const start = Date.UTC(2026, 0, 1) / 1000
const tags: Record<string, string> = {
  '/daily': 'PERIODIC=1',
  '/weekly': 'periodic=7',
  '/monthly': 'PERIODIC=30',
  '/static': 'STATIC',
  '/uneven': 'nonuniform=2',
}
const paths = [...Object.keys(tags), '/untagged']

interface Asked {
  readonly path: string
  readonly day: number
  readonly since: string | undefined
}

/** A loop on a clock that is set by hand, over real HTTP. */
async function barrelLoop(store: Store) {
  let now = start
  const clock = { now: () => now, sleep: () => new Promise<void>((done) => setTimeout(done, 1)) }
  const asked: Asked[] = []
  const base = await localServer((request: IncomingMessage, response) => {
    const path = request.url ?? ''
    if (path === '/robots.txt') return response.writeHead(404).end()
    const since = request.headers['if-modified-since']
    asked.push({ path, day: Math.round((now - start) / DAY), since })
    if (since !== undefined) return response.writeHead(304).end()
    const tag =
      tags[path] === undefined ? '' : `<meta name="Change-Frequency" content="${tags[path]}">`
    response.writeHead(200, { 'content-type': 'text/html' }).end(`${tag}<p>${path}</p>`)
  })
  await store.addPages({ collection: 'c', now, pages: paths.map((path) => ({ url: base + path })) })
  const gate = new HostGate({ clock, politeness: { delay: 0 } })
  const who = { contact: 'test@localhost', version: '0', allowedNetworks: ['127.0.0.0/8'] }
  const fetcher = new HttpFetcher({ clock, ...who })
  const visitor = new PoliteVisitor({ fetcher, gate })
  const parts = {
    store,
    visitor,
    clock,
    reader: pageReader,
    random: new Random(1),
    publisher: publisherReader(),
    plannerFor: () => {
      throw new Error('barrels have their own policy')
    },
  }
  const cycles = new BarrelCycles(parts, { collection: 'c', worker: 'w', unconditionalShare: 0 })
  return {
    asked,
    base,
    async day(day: number) {
      now = start + day * DAY + 60
      await cycles.run({ once: true })
    },
    close: () => fetcher.close(),
  }
}

describe.each([
  ['memory', async () => openMemoryStore()],
  ['SQLite', () => openSqliteStore({ path: `${tempFolder()}/barrels.db` })],
])('barrels over HTTP, kept in %s', (_, open) => {
  it('visits each page at the rate of its barrel, asking whether it was modified since', async () => {
    const store = await open()
    const loop = await barrelLoop(store)
    for (let day = 0; day <= 91; day++) await loop.day(day)
    const days = (path: string) =>
      loop.asked.filter((each) => each.path === path).map(({ day }) => day)
    expect(days('/daily')).toHaveLength(92)
    expect(days('/uneven')).toHaveLength(92)
    expect(days('/weekly')).toEqual([0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91])
    expect(days('/untagged')).toEqual(days('/weekly'))
    expect(days('/monthly')).toEqual([0, 30, 60, 90])
    expect(days('/static')).toEqual([0, 90])
    const [first, ...later] = loop.asked.filter(({ path }) => path === '/weekly')
    expect(first!.since).toBeUndefined()
    // The server tells no date: the last visit's is sent, as in the paper's Figure 4-b.
    expect(later.map(({ since }) => Math.round((Date.parse(since!) / 1000 - start) / DAY))).toEqual(
      days('/weekly').slice(0, -1),
    )
    const page = await store.getPage({ collection: 'c', url: `${loop.base}/monthly` })
    expect(barrelOfPage(page!)).toBe('monthly')
    expect(page!.hints).toMatchObject({
      kinds: { meta: { claim: { declared: { kind: 'periodic', period: 30 * DAY } } } },
    })
    await loop.close()
    await store.close()
  }, 30_000)
})

describe('a crawler opened with barrels', () => {
  it('keeps every page in its barrel, whatever the budget controller beside it does', async () => {
    let now = start
    const clock = { now: () => now, sleep: () => new Promise<void>((done) => setTimeout(done, 1)) }
    const days = new Map<string, number[]>()
    const base = await localServer((request: IncomingMessage, response) => {
      const path = request.url ?? ''
      if (path === '/robots.txt') return response.writeHead(404).end()
      days.set(path, [...(days.get(path) ?? []), Math.round((now - start) / DAY)])
      const tag = `<meta name="Change-Frequency" content="${tags[path]}">`
      response.writeHead(200, { 'content-type': 'text/html' }).end(`${tag}<p>${path}</p>`)
    })
    const store = openMemoryStore()
    const pages = Object.keys(tags).map((path) => ({ url: base + path }))
    await store.addPages({ collection: 'c', now: start, pages })
    const crawler = await openCrawler({
      store,
      clock,
      collection: 'c',
      barrels: true,
      delay: 0,
      contact: 'test@localhost',
      allowedNetworks: ['127.0.0.0/8'],
      random: new Random(1),
    })
    try {
      for (let day = 0; day < 16; day++) {
        now = start + day * DAY + 60
        await crawler.run({ once: true })
      }
      // By hand: daily, weekly, monthly and 90 days, from the first day on.
      const daily = Array.from({ length: 16 }, (_, day) => day)
      expect(Object.fromEntries(days)).toEqual({
        '/daily': daily,
        '/uneven': daily,
        '/weekly': [0, 7, 14],
        '/monthly': [0],
        '/static': [0],
      })
      const weekly = (await store.getPage({ collection: 'c', url: `${base}/weekly` }))!
      expect(weekly.due.reason).toBe('declares a change every 7 days: every 7 days')
      expect(crawler.plannerFor(weekly).policy.name).toBe('barrels')
    } finally {
      await crawler.close()
      await store.close()
    }
  }, 60_000)
})

describe('BarrelService', () => {
  it('gives each crawler its own pages and gives back what nobody took', async () => {
    const store = openMemoryStore()
    const hints = (kind: 'static' | 'nonuniform') => ({
      kinds: { meta: { reportedAt: 1, claim: { says: 'declared', declared: { kind } } } },
    })
    const pages = [
      { url: 'http://a.example/1', hints: hints('static') },
      { url: 'http://b.example/2', hints: hints('nonuniform') },
      { url: 'http://c.example/3' },
    ]
    await store.addPages({ collection: 'c', pages, now: 0 })
    const barrels = new BarrelService(store)
    const request = { collection: 'c', limit: 5, perHost: 1, worker: 'w', now: 1, ttl: 60 }
    const given = await barrels.storeOf('static').leaseDue(request)
    expect(given.map(({ page }) => page.url)).toEqual(['http://a.example/1'])
    expect(await barrels.storeOf('monthly').leaseDue(request)).toEqual([])
    const daily = await barrels.storeOf('daily').leaseDue(request)
    expect(daily.map(({ page }) => page.url)).toEqual(['http://b.example/2'])
    expect(await barrels.storeOf('weekly').nextDue({ collection: 'c', now: 1, perHost: 1 })).toBe(1)
    await barrels.release()
    const again = await store.leaseDue({ ...request, now: 2 })
    expect(again.map(({ page }) => page.url)).toEqual(['http://c.example/3'])
    expect(barrelNames).toEqual(['daily', 'weekly', 'monthly', 'static'])
    await store.close()
  })
})
