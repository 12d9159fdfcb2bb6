import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCrawler } from '../../src/crawler/open-crawler.js'
import { malcolmArmitageLearner as learner } from '../../src/estimators/rate/malcolm-armitage.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import type { Store } from '../../src/model/store.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { localServer } from '../fixtures/local-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const script = fileURLToPath(new URL('./freezing-process.mjs', import.meta.url))
const collection = 'frozen'
const leaseTime = 1.5
const delay = 1.2

interface Request {
  readonly url: string
  readonly by: string
  /** Seconds. */
  readonly at: number
}

/** A host that keeps a log; `arrived` waits for as many requests of one visitor. */
async function loggingHost() {
  const log: Request[] = []
  let wake = () => {}
  const base = await localServer((request, response) => {
    const by = /(\w+)@/.exec(request.headers['user-agent'] ?? '')?.[1] ?? ''
    log.push({ url: request.url!, by, at: performance.now() / 1000 })
    wake()
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    response.end('<p>hello</p>')
  })
  const arrived = async (by: string, many: number) => {
    while (log.filter((each) => each.by === by).length < many)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  return { log, base: base.replace('127.0.0.1', 'one.test'), arrived }
}

/** A worker of this process; stopped by what it gives. */
async function worker(store: Store): Promise<() => Promise<void>> {
  const clock = { now: () => Date.now() / 1000, sleep: async () => {} }
  const crawler = await openCrawler({
    store,
    collection,
    delay,
    leaseTime,
    contact: 'awake@example.org',
    fetcher: new HttpFetcher({
      clock,
      contact: 'awake@example.org',
      version: '0',
      allowedNetworks: ['127.0.0.0/8'],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    }),
    plannerFor: () => ({ policy: fixed({ gap: 0.1 }), learner }),
    pollEvery: 0.1,
  })
  const stop = new AbortController()
  const run = crawler.run({ signal: stop.signal })
  return async () => {
    stop.abort()
    await run
    await crawler.close()
  }
}

/** Another process, which stands still where it is about to connect to its host. */
async function frozenBeforeConnecting(path: string) {
  const args = [script, path, collection, delay, leaseTime].map(String)
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  return {
    thaw() {
      // It connects as soon as it goes on; what it asks later is not held up.
      child.stdin.write('\n'.repeat(100))
      child.kill('SIGCONT')
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

describe('a process that stands still while it connects, for longer than its lease', () => {
  it.each([
    ['of the host’s robots.txt', false],
    ['of the page', true],
  ])(
    'does not send the request %s when it goes on',
    async (_, robotsKnown) => {
      const path = join(tempFolder(), 'revisit.db')
      const store = await openSqliteStore({ path })
      const host = await loggingHost()
      await store.addPages({ collection, pages: [{ url: `${host.base}/page` }], now: 0 })
      if (robotsKnown) {
        const stop = await worker(store)
        await host.arrived('awake', 2)
        await stop()
      }
      const before = host.log.length
      const frozen = await frozenBeforeConnecting(path)
      const stop = await worker(store)
      await host.arrived('awake', before + 1)
      frozen.thaw()
      await stop()
      // In its turn it asks as ever.
      await host.arrived('frozen', 1)
      await frozen.stop()
      const times = host.log.map(({ at }) => at)
      const gaps = times.slice(1).map((at, each) => at - times[each]!)
      // Timers may end a millisecond early.
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(delay - 0.01)
      // A request that was not sent left no visit behind.
      const asked = host.log.filter(({ url }) => url === '/page').length
      expect(await store.visitsOf({ collection, url: `${host.base}/page` })).toHaveLength(asked)
      await store.close()
    },
    20_000,
  )
})
