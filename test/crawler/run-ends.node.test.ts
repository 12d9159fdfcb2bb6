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
