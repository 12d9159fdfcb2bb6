import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EnvironmentError } from '../../src/model/errors.js'
import type { Store } from '../../src/model/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { aFrontier } from './a-frontier.js'
import { RawCall } from './raw-call.js'
import {
  ackOf,
  all,
  discovered,
  itemBytes,
  known,
  put,
  some,
  status,
  wireClient,
} from './wire-client.js'

async function aStore(path = join(tempFolder(), 'a.db')): Promise<Store> {
  const store = await openSqliteStore({ path })
  onTestFinished(() => store.close())
  return store
}

const numbered = (from: number, count: number, host = 'a.org') =>
  Array.from({ length: count }, (_, at) => discovered(`http://${host}/${from + at}`))

describe('streams of items', () => {
  it('go on after a message that is none', async () => {
    const { address } = await aFrontier(await aStore())
    const call = new RawCall(address, 'PutURLs')
    call.read()
    call.send(Buffer.from('ff ff ff ff ff ff'.replaceAll(' ', ''), 'hex'))
    call.send(itemBytes(discovered('http://a.org/', {}, 'good')))
    await expect.poll(() => call.messages.length).toBe(2)
    const acks = call.messages.map(ackOf)
    expect(acks.find(({ ID }) => ID === '')!.status).toBe(status.SKIPPED)
    expect(acks.find(({ ID }) => ID === 'good')!.status).toBe(status.OK)
  })

  it('are not read while 1,024 answers are not, and others are served meanwhile', async () => {
    const { address, client } = await aFrontier(await aStore(), { schedule: 'client' })
    const call = new RawCall(address, 'PutURLs')
    const total = 20_000
    const items = numbered(0, total)
    for (const item of items) call.send(itemBytes(item))
    const stored = async () => Number((await client.countURLs({})).value)
    // Until it stands still: a window of HTTP/2 full of answers, and 1,024 items beyond.
    let [before, now] = [-1, 0]
    while (now === 0 || now !== before) {
      await wait(150)
      before = now
      now = await stored()
    }
    expect(before).toBeGreaterThan(1_000)
    expect(before).toBeLessThan(10_000)
    expect([...(await put(client, [discovered('http://b.org/')])).values()]).toEqual([status.OK])
    call.read()
    await expect.poll(() => call.messages.length, { timeout: 20_000 }).toBe(total)
    expect(await stored()).toBe(total + 1)
  })

  it('of a client that vanishes leave nothing twice, and are taken up again', async () => {
    const { address, client } = await aFrontier(await aStore(), { schedule: 'client' })
    const call = new RawCall(address, 'PutURLs')
    for (const item of numbered(0, 3_000)) call.send(itemBytes(item))
    await expect.poll(async () => (await client.countURLs({})).value > 0n).toBe(true)
    call.vanish()
    const acks = await put(client, numbered(0, 3_000))
    expect([...acks.values()].every((each) => each !== status.FAIL)).toBe(true)
    expect((await client.countURLs({})).value).toBe(3_000n)
  })

  it('take metadata of a megabyte; a message over the limit ends its own call alone', async () => {
    const { client } = await aFrontier(await aStore(), { schedule: 'client' })
    const text = 'x'.repeat(1024 * 1024)
    const large = await put(client, [discovered('http://a.org/', { metadata: { text } }, 'large')])
    expect(large.get('large')).toBe(status.OK)
    const tooLarge = discovered('http://b.org/', { metadata: { text: text.repeat(5) } })
    const fault = await put(client, [tooLarge]).catch((error: unknown) => error)
    expect(ConnectError.from(fault).code).toBe(Code.ResourceExhausted)
    expect([...(await put(client, numbered(1, 1))).values()]).toEqual([status.OK])
    const [given] = await all(client.getURLs({ maxUrlsPerQueue: 1 }))
    expect(given!.metadata.text!.values[0]).toHaveLength(text.length)
  })

  it('are answered with FAIL while the store is away, and stay open', async () => {
    const store = await aStore()
    const { client, lines } = await aFrontier(store, { schedule: 'client' })
    const away = vi.spyOn(store.queues, 'discover')
    away.mockRejectedValue(new EnvironmentError('server-gone', 'the server is away'))
    let isBack = false
    async function* items() {
      yield discovered('http://a.org/', {}, 'while away')
      while (!isBack) await wait(5)
      yield discovered('http://a.org/', {}, 'again')
    }
    const seen: [string, number][] = []
    for await (const { ID, status: each } of client.putURLs(items())) {
      seen.push([ID, each])
      away.mockRestore()
      isBack = true
    }
    expect(seen).toEqual([
      ['while away', status.FAIL],
      ['again', status.OK],
    ])
    expect(lines.join('\n')).toContain('the server is away')
  })

  it('refuse one item that the store cannot take, and none beside it', async () => {
    const store = await aStore()
    const { client } = await aFrontier(store, { schedule: 'client' })
    // A collection of our own crawler's is no crawl of the frontier.
    const pages = [{ url: 'http://a.org/' }]
    await store.addPages({ collection: 'own', pages, now: Date.now() / 1000 })
    const items = [
      ...numbered(0, 30),
      discovered('http://a.org/x', { crawlID: 'own' }, 'own'),
      ...numbered(30, 30),
    ]
    const acks = await put(client, items)
    expect(acks.get('own')).toBe(status.SKIPPED)
    expect([...acks.values()].filter((each) => each === status.OK)).toHaveLength(60)
  })
})

describe('addresses', () => {
  it('of more queues than there are are given once each', async () => {
    const { client } = await aFrontier(await aStore(), { schedule: 'client' })
    const items = Array.from({ length: 1_500 }, (_, at) => discovered(`http://h${at}.org/`))
    await put(client, items)
    const given = await all(client.getURLs({ maxQueues: 10_000, maxUrlsPerQueue: 1 }))
    expect(new Set(given.map(({ url }) => url)).size).toBe(1_500)
    expect(given).toHaveLength(1_500)
  })

  it('are given to others while a client reads none of its own', async () => {
    const { address, client } = await aFrontier(await aStore(), { schedule: 'client' })
    const metadata = { text: 'x'.repeat(2_000) }
    const items = Array.from({ length: 400 }, (_, at) =>
      discovered(`http://h${at}.org/`, { metadata }),
    )
    await put(client, items)
    const silent = new RawCall(address, 'GetURLs')
    // max_urls_per_queue and max_queues: fields 1 and 2.
    silent.send(Uint8Array.from([0x08, 1, 0x10, 200, 1]))
    silent.end()
    await expect.poll(async () => (await client.getStats({})).inProcess).toBe(200)
    const others = await all(client.getURLs({ maxUrlsPerQueue: 1 }))
    expect(others).toHaveLength(200)
  })
})

describe('a node that is started again', () => {
  it('goes on with delays, blocks, limits, leases and turns', async () => {
    const path = join(tempFolder(), 'a.db')
    const first = await openSqliteStore({ path })
    const before = await aFrontier(first, { schedule: 'client' })
    const { client, clock } = before
    const hosts = ['delayed', 'blocked', 'limited', 'leased', 'free']
    await put(
      client,
      hosts.flatMap((host) => numbered(0, 2, `${host}.org`)),
    )
    await put(client, [known('http://limited.org/done', 0)])
    await client.setDelay({ delayRequestable: 7 })
    await client.setDelay({ key: 'delayed.org', delayRequestable: 500 })
    await client.blockQueueUntil({ key: 'blocked.org', time: BigInt(clock.at + 1_000) })
    await client.setCrawlLimit({ key: 'limited.org', limit: 1 })
    const one = { maxUrlsPerQueue: 1, delayRequestable: 300 }
    expect(await all(client.getURLs(one))).toHaveLength(3)
    await client.setActive({ state: false })
    await before.close()
    await first.close()

    const again = await aFrontier(await aStore(path), { schedule: 'client', clock })
    const keys = async (per: number) => {
      const found = await all(again.client.getURLs({ ...one, maxUrlsPerQueue: per }))
      return found.map(({ key }) => key).toSorted()
    }
    expect((await again.client.getActive({})).state).toBe(false)
    expect(await keys(2)).toEqual([])
    await again.client.setActive({ state: true })
    clock.at += 6
    expect(await keys(2)).toEqual([])
    clock.at += 2
    // Their second address; the first is leased still.
    expect(await keys(2)).toEqual(['free.org', 'leased.org'])
    clock.at += 493
    // Leases have run out, and the delay began when they did.
    expect(await keys(9)).toEqual(['free.org', 'free.org', 'leased.org', 'leased.org'])
    clock.at += 500
    expect(await keys(9)).toContain('blocked.org')
    expect(await keys(9)).not.toContain('limited.org')
  })
})

describe('two clients of their own', () => {
  it('are served over one connection each, also after one was cut', async () => {
    const { address } = await aFrontier(await aStore(), { schedule: 'client' })
    const [one, two] = [wireClient(address), wireClient(address)]
    const both = await Promise.all([
      all(one.putURLs(some(numbered(0, 500, 'a.org')))),
      all(two.putURLs(some(numbered(0, 500, 'b.org')))),
    ])
    expect(both.map((each) => each.length)).toEqual([500, 500])
  })
})
