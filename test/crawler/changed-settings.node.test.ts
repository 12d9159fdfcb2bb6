import { describe, expect, it, onTestFinished } from 'vitest'
import { openCrawler } from '../../src/crawler/open-crawler.js'
import { type ChangingSettings, crawlerDefaults } from '../../src/crawler/settings.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { localServer } from '../fixtures/local-server.js'

const collection = 'default'

/** A crawler over one page on loopback, which counts and keeps what it was asked by. */
async function crawling(settings: Partial<ChangingSettings> = {}) {
  const agents: string[] = []
  const base = await localServer((request, response) => {
    if (request.url !== '/robots.txt') agents.push(String(request.headers['user-agent']))
    response.writeHead(200, { 'content-type': 'text/plain' }).end('text')
  })
  const store = openMemoryStore()
  await store.addPages({ collection, pages: [{ url: `${base}/page` }], now: 0 })
  const first: ChangingSettings = {
    ...crawlerDefaults,
    allowedNetworks: ['127.0.0.0/8'],
    delay: 0,
    ...settings,
  }
  let wanted = first
  const crawler = await openCrawler({ store, ...first, changing: async () => wanted })
  onTestFinished(async () => {
    await crawler.close()
    await store.close()
  })
  const fetched = async () => {
    const page = (await store.getPage({ collection, url: `${base}/page` }))!
    return crawler.session.preview(page)
  }
  const change = (more: Partial<ChangingSettings>) => {
    wanted = { ...wanted, ...more }
    return crawler.use(wanted)
  }
  return { crawler, store, agents, fetched, change }
}

describe('a crawler whose settings are changed while it runs', () => {
  it('names the new contact and keeps the new delay', async () => {
    const { crawler, agents, fetched, change } = await crawling({ contact: 'first@example.org' })
    expect(await fetched()).toMatchObject({ kind: 'answered', answer: { status: 200 } })
    await change({ contact: 'second@example.org', delay: 60 })
    expect(await fetched()).toMatchObject({ answer: { status: 200 } })
    expect(agents.map((agent) => /\(\+(.*)\)/.exec(agent)![1])).toEqual([
      'first@example.org',
      'second@example.org',
    ])
    // The host rests for the delay of now.
    expect(await fetched()).toMatchObject({ kind: 'wait' })
    expect(crawler.gate.politeness.delay).toBe(60)
  })

  it('goes no longer to networks that are not allowed any more', async () => {
    const { fetched, change } = await crawling({ contact: 'me@example.org' })
    expect(await fetched()).toMatchObject({ answer: { status: 200 } })
    await change({ allowedNetworks: [] })
    expect(await fetched()).toMatchObject({
      answer: { kind: 'failed', fault: 'address-refused' },
    })
  })

  it('keeps a budget of the day that was set since, and lets it go again', async () => {
    const { fetched, change, agents } = await crawling({ contact: 'me@example.org' })
    await fetched()
    // Its robots.txt, the page just now, and one more.
    await change({ requestsPerDay: 3 })
    expect(await fetched()).toMatchObject({ answer: { status: 200 } })
    expect(await fetched()).toMatchObject({ kind: 'spent' })
    await change({ requestsPerDay: null })
    expect(await fetched()).toMatchObject({ answer: { status: 200 } })
    expect(agents).toHaveLength(3)
  })

  it('plans all pages anew for new hours', async () => {
    const { crawler, store, change } = await crawling({ contact: 'me@example.org' })
    await crawler.controller.begin(crawler.clock.now())
    const terms = await store.getSetting(collection, 'plan-terms')
    await change({ hours: 'mon 8-9' })
    await crawler.controller.keepUp({ now: crawler.clock.now() })
    expect(await store.getSetting(collection, 'plan-terms')).toBe(`${terms}, in mon 8-9`)
  })

  it('refuses settings that mean nothing, and goes on by the old ones', async () => {
    const { crawler, change } = await crawling({ contact: 'me@example.org', hours: 'mon 8-9' })
    await expect(change({ hours: 'whenever' })).rejects.toMatchObject({ code: expect.any(String) })
    expect(crawler.gate.politeness.delay).toBe(0)
  })
})
