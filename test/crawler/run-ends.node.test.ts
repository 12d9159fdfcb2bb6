import { describe, expect, it, onTestFinished } from 'vitest'
import { type CrawlerOptions, openCrawler } from '../../src/crawler/open-crawler.js'
import { todaySetting } from '../../src/crawler/processes/recovery.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { localServer } from '../fixtures/local-server.js'

const collection = 'default'

/** A crawler over one page on loopback. */
async function crawling(options: Partial<CrawlerOptions> = {}) {
  const base = await localServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('text'),
  )
  const store = openMemoryStore()
  await store.addPages({ collection, pages: [{ url: `${base}/page` }], now: 0 })
  const crawler = await openCrawler({
    store,
    contact: 'me@example.org',
    allowedNetworks: ['127.0.0.0/8'],
    delay: 0,
    ...options,
  })
  onTestFinished(async () => {
    await crawler.close()
    await store.close()
  })
  return { crawler, store }
}

function signal() {
  let raise = () => {}
  const raised = new Promise<void>((resolve) => {
    raise = resolve
  })
  return { raised, raise }
}

describe('what is done beside the visits of a run', () => {
  it('begins with it and ends with it', async () => {
    const seen: string[] = []
    const { crawler } = await crawling({
      async beside(signal) {
        seen.push('begun')
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        seen.push('ended')
      },
    })
    await crawler.run({ once: true, onVisit: () => seen.push('visit') })
    expect(seen).toEqual(['begun', 'visit', 'ended'])
  })

  it('ends the run where it fails', async () => {
    const { crawler, store } = await crawling({
      beside: async () => {
        throw new Error('beside')
      },
    })
    await expect(crawler.run()).rejects.toThrow('beside')
    // Others see at once that it is gone.
    expect(await store.workers({ now: crawler.clock.now() })).toEqual([])
  })
})

it('a run that fails gives back the requests that it claimed and did not make', async () => {
  const { crawler, store } = await crawling({ requestsPerDay: 1000 })
  const failing = crawler.run({
    onVisit() {
      throw new Error('listener')
    },
  })
  await expect(failing).rejects.toThrow('listener')
  // Its robots.txt and the page.
  expect(await store.getSetting(collection, todaySetting)).toMatchObject({ requests: 2 })
})

it('a run that fails says why, also where nothing can be given back', async () => {
  const { crawler, store } = await crawling()
  const failing = crawler.run({
    onVisit() {
      store.releaseWorker = () => Promise.reject(new Error('the store is away'))
      throw new Error('listener')
    },
  })
  await expect(failing).rejects.toThrow('listener')
})

it('a store that fails between visits ends the run, but not the visits under way', async () => {
  const asked = signal()
  const mayAnswer = signal()
  const base = await localServer(async (request, response) => {
    if (request.url === '/page') {
      asked.raise()
      await mayAnswer.raised
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).end('text')
  })
  const store = openMemoryStore()
  await store.addPages({ collection, pages: [{ url: `${base}/page` }], now: 0 })
  let away = false
  const failing = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'leaseDue' && name !== 'nextDue')
        return typeof value === 'function' ? value.bind(target) : value
      return (...args: unknown[]) => {
        if (away) throw new Error('the store is away')
        return value.apply(target, args)
      }
    },
  })
  const settings = { contact: 'me@example.org', allowedNetworks: ['127.0.0.0/8'], delay: 0 }
  const crawler = await openCrawler({ store: failing, ...settings, pollEvery: 0.1 })
  onTestFinished(async () => {
    await crawler.close()
    await store.close()
  })
  let hasEnded = false
  const run = crawler.run().finally(() => {
    hasEnded = true
  })
  run.catch(() => {})
  await asked.raised
  away = true
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(hasEnded).toBe(false)
  expect(crawler.underWay).toBe(1)
  mayAnswer.raise()
  await expect(run).rejects.toThrow('the store is away')
  const { pages } = await store.listPages({ collection, limit: 1 })
  expect(pages[0]).toMatchObject({ visits: 1, lastVisit: { outcome: 'first' } })
  // What failed once is over.
  away = false
  await crawler.run({ once: true })
})
