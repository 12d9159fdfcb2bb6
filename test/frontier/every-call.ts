import { Code, ConnectError } from '@connectrpc/connect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/model/store.js'
import { openTestFrontier, type TestFrontier } from './a-frontier.js'
import {
  all,
  discovered,
  info,
  known,
  put,
  type SeenInfo,
  some,
  status,
  type WireClient,
} from './wire-client.js'

/** Every call and every rule of the URLFrontier API, asked by a client that has nothing of ours. */
export function everyCall(name: string, openStore: () => Promise<Store>): void {
  const urlsOf = (given: readonly SeenInfo[]) => given.map(({ url }) => url)
  const get = async (client: WireClient, request: Record<string, unknown> = {}) =>
    all(client.getURLs(request))

  describe(`URLFrontier on ${name}`, () => {
    let store: Store
    let frontier: TestFrontier
    beforeAll(async () => {
      store = await openStore()
      frontier = await openTestFrontier(store, { schedule: 'client' })
    })
    afterAll(async () => {
      await frontier.close()
      await store.close()
    })
    /** The same frontier for all tests, emptied by its own calls. */
    const open = async () => {
      const { client } = frontier
      for (const value of (await client.listCrawls({})).values) await client.deleteCrawl({ value })
      await client.setDelay({ delayRequestable: 1 })
      frontier.clock.at += 1000
      return frontier
    }

    it('takes what was found and gives it back to the byte, with its metadata', async () => {
      const { client } = await open()
      const url = 'http://Example.org:8080/a%7Eb?q=ä&&#part'
      const acks = await put(client, [discovered(url, { metadata: { depth: '3' } }, 'one')])
      expect(acks).toEqual(new Map([['one', status.OK]]))
      const [given, ...others] = await get(client)
      expect(others).toEqual([])
      expect(given).toMatchObject({ url, key: 'example.org', crawlID: 'DEFAULT' })
      expect(given!.metadata.depth!.values).toEqual(['3'])
    })

    it('answers a blank ID with the address, and a known address with SKIPPED', async () => {
      const { client } = await open()
      const url = 'http://a.org/'
      expect(await put(client, [discovered(url)])).toEqual(new Map([[url, status.OK]]))
      expect(await put(client, [discovered(url, {}, '7')])).toEqual(
        new Map([['7', status.SKIPPED]]),
      )
    })

    it('keeps the same address under two keys and in two crawls apart', async () => {
      const { client } = await open()
      const url = 'http://a.org/'
      const acks = await put(client, [
        discovered(url, { key: 'k1' }, '1'),
        discovered(url, { key: 'k2' }, '2'),
        discovered(url, { key: 'k1', crawlID: 'other' }, '3'),
      ])
      expect([...acks.values()]).toEqual([status.OK, status.OK, status.OK])
      expect((await client.listCrawls({})).values.toSorted()).toEqual(['DEFAULT', 'other'])
      expect((await client.countURLs({})).value).toBe(2n)
      expect((await client.countURLs({ crawlID: 'other' })).value).toBe(1n)
    })

    it('goes by the date of known items, replaces their metadata, and never gives date 0', async () => {
      const { client, clock } = await open()
      const later = clock.at + 3600
      await put(client, [discovered('http://a.org/x', { metadata: { old: '1' } })])
      await put(client, [
        known('http://a.org/x', later, { metadata: { fresh: '2' } }),
        known('http://b.org/done', 0),
      ])
      expect(await get(client)).toEqual([])
      const stored = (await client.getURLStatus({ url: 'http://a.org/x' })).item.value!
      expect(stored.refetchableFromDate).toBe(BigInt(later))
      expect(Object.keys(stored.info.metadata)).toEqual(['fresh'])
      const done = (await client.getURLStatus({ url: 'http://b.org/done' })).item.value!
      expect(done.refetchableFromDate).toBe(0n)
      clock.at = later
      expect(urlsOf(await get(client))).toEqual(['http://a.org/x'])
      clock.at = later + 10 * 365 * 86_400
      expect(urlsOf(await get(client))).not.toContain('http://b.org/done')
    })

    it('leases for delay_requestable, 30 s by default', async () => {
      const { client, clock } = await open()
      await put(client, [discovered('http://a.org/')])
      expect(await get(client, { delayRequestable: 100 })).toHaveLength(1)
      clock.at += 99
      expect(await get(client)).toEqual([])
      clock.at += 3
      expect(await get(client)).toHaveLength(1)
      clock.at += 29
      expect(await get(client)).toEqual([])
      clock.at += 3
      expect(await get(client)).toHaveLength(1)
    })

    it('gives within its limits, the earliest date first, queues by turns', async () => {
      const { client, clock } = await open()
      const at = clock.at
      await put(client, [
        known('http://a.org/3', at - 10),
        known('http://a.org/1', at - 30),
        known('http://a.org/2', at - 20),
        known('http://b.org/1', at - 5),
        known('http://c.org/1', at - 1),
      ])
      const first = await get(client, { maxQueues: 2, maxUrlsPerQueue: 2 })
      expect(urlsOf(first)).toEqual(['http://a.org/1', 'http://a.org/2', 'http://b.org/1'])
      const second = await get(client, { maxQueues: 2, maxUrlsPerQueue: 2 })
      expect(urlsOf(second)).toEqual(['http://c.org/1'])
      clock.at += 5
      // Two of a.org are in flight: it has its fill.
      expect(await get(client, { maxQueues: 5, maxUrlsPerQueue: 2 })).toEqual([])
      expect(urlsOf(await get(client, { maxQueues: 5, maxUrlsPerQueue: 3 }))).toEqual([
        'http://a.org/3',
      ])
    })

    it('holds the delay of a queue since it last gave, and since its page was reported', async () => {
      const { client, clock } = await open()
      await put(client, [discovered('http://a.org/1'), discovered('http://a.org/2')])
      await client.setDelay({ key: 'a.org', delayRequestable: 10 })
      const ask = { maxUrlsPerQueue: 1 }
      const [given] = await get(client, ask)
      clock.at += 4
      await put(client, [known(given!.url, clock.at + 9999)])
      clock.at += 7
      expect(await get(client, ask)).toEqual([])
      clock.at += 4
      expect(await get(client, ask)).toHaveLength(1)
    })

    it('takes an empty key of SetDelay for all queues without one of their own', async () => {
      const { client, clock } = await open()
      await put(
        client,
        ['1', '2'].map((each) => discovered(`http://a.org/${each}`)),
      )
      await client.setDelay({ delayRequestable: 50 })
      expect(await get(client, { maxUrlsPerQueue: 1 })).toHaveLength(1)
      clock.at += 40
      expect(await get(client, { maxUrlsPerQueue: 2 })).toEqual([])
      // Its lease ran out after 30 s: the queue rests from then on.
      clock.at += 39
      expect(await get(client, { maxUrlsPerQueue: 2 })).toEqual([])
      clock.at += 2
      expect(await get(client, { maxUrlsPerQueue: 2 })).toHaveLength(2)
    })

    it('gives nothing of a blocked queue until its time; 0 opens it', async () => {
      const { client, clock } = await open()
      await put(client, [discovered('http://a.org/')])
      await client.blockQueueUntil({ key: 'a.org', time: BigInt(clock.at + 100) })
      expect(await get(client)).toEqual([])
      await client.blockQueueUntil({ key: 'a.org', time: 0n })
      expect(await get(client)).toHaveLength(1)
      await client.blockQueueUntil({ key: 'a.org', time: BigInt(clock.at + 100) })
      clock.at += 90
      expect(await get(client)).toEqual([])
      clock.at += 12
      expect(await get(client)).toHaveLength(1)
    })

    it('gives nothing of a queue at its limit of completed addresses; 0 is none', async () => {
      const { client, clock } = await open()
      await put(client, [discovered('http://a.org/open'), known('http://a.org/done', 0)])
      await client.setCrawlLimit({ key: 'a.org', limit: 1 })
      expect(await get(client)).toEqual([])
      await client.setCrawlLimit({ key: 'a.org', limit: 2 })
      expect(await get(client)).toHaveLength(1)
      clock.at += 40
      await client.setCrawlLimit({ key: 'a.org', limit: 1 })
      expect(await get(client)).toEqual([])
      await client.setCrawlLimit({ key: 'a.org', limit: 0 })
      expect(await get(client)).toHaveLength(1)
    })

    it('gives by crawl and by key; a key without a crawl is nothing', async () => {
      const { client } = await open()
      await put(client, [
        discovered('http://a.org/'),
        discovered('http://b.org/'),
        discovered('http://c.org/', { crawlID: 'other' }),
      ])
      const ofCrawl = (crawlID: string) => ({ item: { case: 'crawlID', value: crawlID } })
      expect(await get(client, { key: 'a.org' })).toEqual([])
      expect(urlsOf(await get(client, { key: 'a.org', ...ofCrawl('DEFAULT') }))).toEqual([
        'http://a.org/',
      ])
      expect(urlsOf(await get(client, ofCrawl('other')))).toEqual(['http://c.org/'])
      expect(await get(client, ofCrawl('nobody'))).toEqual([])
      const any = { item: { case: 'anyCrawlID', value: {} } }
      expect(urlsOf(await get(client, any))).toEqual(['http://b.org/'])
    })

    it('gives nothing while it is not active, and takes items all the same', async () => {
      const { client } = await open()
      await put(client, [discovered('http://a.org/')])
      expect((await client.getActive({})).state).toBe(true)
      await client.setActive({ state: false })
      expect((await client.getActive({})).state).toBe(false)
      expect(await get(client)).toEqual([])
      expect([...(await put(client, [discovered('http://b.org/')])).values()]).toEqual([status.OK])
      await client.setActive({ state: true })
      expect(await get(client)).toHaveLength(2)
    })

    it('lists queues: 100 by default, active ones only', async () => {
      const { client, clock } = await open()
      const many = Array.from({ length: 120 }, (_, at) => discovered(`http://h${1000 + at}.org/`))
      await put(client, [...many, known('http://later.org/', clock.at + 999)])
      const first = await client.listQueues({})
      expect(first).toMatchObject({ total: 120n, start: 0, size: 100, crawlID: 'DEFAULT' })
      expect(first.values).toHaveLength(100)
      const rest = await client.listQueues({ start: 100, size: 50 })
      expect(new Set([...first.values, ...rest.values]).size).toBe(120)
      const inactive = await client.listQueues({ size: 500, includeInactive: true })
      expect(inactive.values).toHaveLength(121)
      expect(inactive.values).toContain('later.org')
    })

    it('counts, lists and filters addresses', async () => {
      const { client } = await open()
      const urls = ['http://a.org/One', 'http://a.org/two', 'http://b.org/one']
      await put(
        client,
        urls.map((url) => discovered(url)),
      )
      const list = async (request: Record<string, unknown>) =>
        (await all(client.listURLs(request))).map(({ item }) => item.value!.info.url).toSorted()
      expect(await list({})).toEqual(urls)
      expect(await list({ key: 'a.org' })).toEqual(urls.slice(0, 2))
      expect(await list({ filter: 'one' })).toEqual(['http://b.org/one'])
      expect(await list({ filter: 'one', ignoreCase: true })).toEqual([urls[0], urls[2]])
      expect([...(await list({ size: 2 })), ...(await list({ start: 2 }))].toSorted()).toEqual(urls)
      expect((await client.countURLs({ filter: 'one', ignoreCase: true })).value).toBe(2n)
      expect((await client.countURLs({ key: 'b.org' })).value).toBe(1n)
    })

    it('sums up a queue and a crawl', async () => {
      const { client } = await open()
      await put(client, [
        discovered('http://a.org/1'),
        discovered('http://a.org/2'),
        discovered('http://b.org/1'),
        known('http://b.org/done', 0),
      ])
      await get(client, { maxQueues: 1, maxUrlsPerQueue: 1 })
      const crawl = await client.getStats({})
      expect(crawl).toMatchObject({
        size: 3n,
        inProcess: 1,
        numberOfQueues: 2n,
        crawlID: 'DEFAULT',
      })
      expect(crawl.counts.completed).toBe(1n)
      const queue = await client.getStats({ key: 'b.org' })
      expect(queue).toMatchObject({ size: 1n, numberOfQueues: 1n })
    })

    it('removes a queue, a crawl, and what is older than some days', async () => {
      const { client, clock } = await open()
      await put(client, [discovered('http://a.org/1'), discovered('http://b.org/1')])
      clock.at += 5 * 86_400
      await put(client, [discovered('http://a.org/2'), discovered('http://c.org/1')])
      expect((await client.deleteQueue({ key: 'b.org' })).value).toBe(1n)
      expect((await client.deleteQueue({ key: '' })).value).toBe(0n)
      expect((await client.purgeURLs({ key: 'a.org', days: 3 })).value).toBe(1n)
      expect((await client.countURLs({})).value).toBe(2n)
      expect((await client.deleteCrawl({ value: '' })).value).toBe(2n)
      expect((await client.listCrawls({})).values).toEqual([])
      expect(await get(client)).toEqual([])
    })

    it('has a creation date of its own, which a known item does not change', async () => {
      const { client, clock } = await open()
      const created = BigInt(clock.at)
      await put(client, [{ ...discovered('http://a.org/'), creationDate: 5n }])
      clock.at += 1000
      await put(client, [known('http://a.org/', clock.at + 5)])
      expect((await client.getURLStatus({ url: 'http://a.org/' })).creationDate).toBe(created)
    })

    it('says NOT_FOUND for an address that it has not', async () => {
      const { client } = await open()
      const fault = await client.getURLStatus({ url: 'http://a.org/' }).catch((error) => error)
      expect(ConnectError.from(fault).code).toBe(Code.NotFound)
    })

    it('names its nodes, and takes a log level', async () => {
      const { client, address } = await open()
      expect((await client.listNodes({})).values).toEqual([address])
      await client.setLogLevel({ package: 'x', level: 4 })
    })

    it('takes addresses in batches, and an empty one as a question', async () => {
      const { client } = await open()
      const batches = [
        { ID: 'probe', items: [] },
        { ID: 'one', items: [info('http://a.org/'), info('nonsense'), info('http://b.org/')] },
        { ID: 'two', items: [info('http://a.org/')] },
      ]
      const acks = await all(client.putDiscovered(some(batches)))
      const byId = new Map(acks.map(({ ID, statuses }) => [ID, [...statuses]]))
      expect(byId.get('probe')).toEqual([])
      expect(byId.get('one')).toEqual([status.OK, status.SKIPPED, status.OK])
      expect(byId.get('two')).toEqual([status.SKIPPED])
    })

    it('skips what cannot be stored and goes on with the stream', async () => {
      const { client } = await open()
      const acks = await put(client, [
        { ID: 'empty' },
        discovered('', {}, 'no address'),
        discovered('not an address', {}, 'none'),
        discovered('http://', {}, 'no host'),
        discovered('http://a.org/', { key: 'k'.repeat(256) }, 'long key'),
        discovered('http://a.org/\0', {}, 'nul'),
        discovered('http://a.org/', { metadata: { a: '\0' } }, 'nul in metadata'),
        known('http://a.org/9999', 253_402_300_799, {}, 'year 9999'),
        discovered('http://a.org/', { key: 'k'.repeat(255) }, 'good'),
      ])
      expect(Object.fromEntries(acks)).toEqual({
        empty: status.SKIPPED,
        'no address': status.SKIPPED,
        none: status.SKIPPED,
        'no host': status.SKIPPED,
        'long key': status.SKIPPED,
        nul: status.SKIPPED,
        'nul in metadata': status.SKIPPED,
        'year 9999': status.OK,
        good: status.OK,
      })
    })

    it('stores an address once that comes on ten streams at once', async () => {
      const { client } = await open()
      const streams = Array.from({ length: 10 }, () => put(client, [discovered('http://a.org/')]))
      const acks = (await Promise.all(streams)).map((each) => each.get('http://a.org/'))
      expect(acks.filter((each) => each === status.OK)).toHaveLength(1)
      expect(acks.filter((each) => each === status.SKIPPED)).toHaveLength(9)
      expect((await client.countURLs({})).value).toBe(1n)
    })
  })
}
