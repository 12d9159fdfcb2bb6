import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageReader } from '../../src/content/page-reader.js'
import { Cycle } from '../../src/crawler/loop.js'
import { systemClock } from '../../src/crawler/system-clock.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import { Random } from '../../src/numeric/random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'

describe('the loop over real HTTP, politeness and store', () => {
  const requests: { url: string; at: number }[] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url!, at: Date.now() / 1000 })
    if (request.url === '/robots.txt') return response.end('User-agent: *\nDisallow: /private\n')
    if (request.url === '/gone') return response.writeHead(410).end()
    response.setHeader('content-type', 'text/html')
    response.end(`<title>t</title><p>hello ${request.url}</p>`)
  })
  let base = ''
  const folder = mkdtempSync(join(tmpdir(), 'revisit-loop-'))
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  function parts(delay: number) {
    const clock = systemClock
    const gate = new HostGate({ clock, politeness: { delay } })
    const fetcher = new HttpFetcher({
      clock,
      contact: 'test@example.org',
      version: '0',
      allowedNetworks: ['127.0.0.0/8'],
    })
    const visitor = new PoliteVisitor({ fetcher, gate })
    return {
      clock,
      gate,
      visitor,
      fetcher,
      reader: pageReader,
      random: new Random(1),
      plannerFor: () => ({ policy: malcolmArmitage(), learner: malcolmArmitageLearner }),
    }
  }

  it('makes no call for the host of an ordinary visit, and forgets it after', async () => {
    const memory = openMemoryStore()
    const calls: string[] = []
    const store = new Proxy(memory, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        calls.push(String(name))
        return value.bind(target)
      },
    })
    const { gate, fetcher, ...rest } = parts(0.05)
    const cycle = new Cycle(
      { ...rest, store },
      { collection: 'c', worker: 'one', pollEvery: 0.05, concurrency: 1 },
    )
    const urls = ['/a', '/b', '/c'].map((each) => ({ url: `${base}${each}` }))
    await memory.addPages({ collection: 'c', pages: urls, now: systemClock.now() })
    const { host } = new URL(base)
    await cycle.run({ once: true })
    await fetcher.close()
    // It is booked, as ever; the record comes with the lease.
    expect(new Set(calls.filter((name) => /host/i.test(name)))).toEqual(new Set(['putHosts']))
    expect(calls.filter((name) => name === 'recordVisits')).toHaveLength(3)
    expect(gate.holds(host)).toBe(false)
    expect(await memory.getHost(host)).toMatchObject({ state: { today: { requests: 4 } } })
    await memory.close()
  })

  it('visits, records outcomes and due times, and keeps the delay across a restart', async () => {
    requests.length = 0
    const delay = 0.3
    const path = join(folder, 'revisit.db')
    const pages = ['/a', '/b', '/private', '/gone'].map((each) => ({ url: base + each }))
    let store = await openSqliteStore({ path })
    await store.addPages({ collection: 'c', pages, now: systemClock.now() })
    const stop = new AbortController()
    const first = parts(delay)
    await new Cycle({ ...first, store }, { collection: 'c', worker: 'one', pollEvery: 0.1 }).run({
      signal: stop.signal,
      onVisit: () => stop.abort(),
    })
    await first.fetcher.close()
    await store.close()
    store = await openSqliteStore({ path })
    const second = parts(delay)
    await new Cycle({ ...second, store }, { collection: 'c', worker: 'two', pollEvery: 0.1 }).run({
      once: true,
    })
    const { pages: found } = await store.listPages({ collection: 'c', limit: 10 })
    const outcome = Object.fromEntries(
      found.map((each) => [each.url.slice(base.length), each.lastVisit?.outcome]),
    )
    expect(outcome).toEqual({
      '/a': 'first',
      '/b': 'first',
      '/private': 'refused',
      '/gone': 'gone',
    })
    for (const each of found) expect(each.due.at).toBeGreaterThan(systemClock.now())
    expect(requests.map((each) => each.url).filter((url) => url === '/private')).toEqual([])
    const gaps = requests.slice(1).map((each, i) => each.at - requests[i]!.at)
    // A timer may fire a few milliseconds early.
    for (const gap of gaps) expect(gap).toBeGreaterThan(delay - 0.02)
    await second.fetcher.close()
    await store.close()
  })
})
