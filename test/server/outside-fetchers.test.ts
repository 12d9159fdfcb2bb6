import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { plannersOf } from '../../src/crawler/page-planners.js'
import { systemClock } from '../../src/crawler/system-clock.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { localServer } from '../fixtures/local-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { aService, collection } from './a-service.js'

const script = fileURLToPath(new URL('outside-fetcher.mjs', import.meta.url))
const delay = 0.2
const ttl = 1.5

function fetcher(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** When the lease of the page that it holds runs out. */
async function holds(child: ChildProcess): Promise<number> {
  let text = ''
  for (;;) {
    text += String((await once(child.stdout!, 'data'))[0])
    const found = /holding until ([\d.]+)\n/.exec(text)
    if (found !== null) return Number(found[1])
  }
}

it('two outside fetchers, one killed while it holds pages: none lost, none asked twice within its lease, hosts left to rest', async () => {
  const requests: { host: string; url: string; at: number }[] = []
  const site = await localServer((request, response) => {
    const { host = '', url = '' } = request.headers as { host?: string; url?: string }
    requests.push({ host, url: host + (request.url ?? url), at: Date.now() / 1000 })
    response.end(`page ${request.url}`)
  }, '0.0.0.0')
  const { port } = new URL(site)
  const hosts = [1, 2, 3, 4].map((n) => `127.0.0.${n}:${port}`)
  const pages = hosts.flatMap((host) => [1, 2, 3].map((n) => ({ url: `http://${host}/${n}` })))
  const { app, ask, store } = await aService({
    store: await openSqliteStore({ path: `${tempFolder()}/revisit.db` }),
    clock: systemClock,
    delay,
    allowedNetworks: ['127.0.0.0/8'],
    parts: { plannerFor: plannersOf({ policy: 'fixed' }) },
  })
  await ask('POST', '/api/pages', { pages })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })

  const doomed = fetcher(base, 'doomed', '2', String(ttl), 'hold')
  const heldUntil = await holds(doomed)
  const steady = fetcher(base, 'steady', '4', String(ttl))
  await once(steady.stdout!, 'data')
  steady.stdout!.resume()
  doomed.kill('SIGKILL')
  const until = Date.now() + 20_000
  while ((await store.countPages({ collection, dueBy: systemClock.now() })) > 0)
    if (Date.now() > until) expect.fail('not all pages were visited in 20 s')
    else await new Promise((resolve) => setTimeout(resolve, 50))

  const { pages: found } = await store.listPages({ collection, limit: 100 })
  // None lost, none counted twice.
  expect(found.map(({ visits }) => visits)).toEqual(pages.map(() => 1))
  // The page that the killed one had fetched was fetched again, but not within its lease.
  const again = new Map<string, number[]>()
  for (const { url, at } of requests) again.set(url, [...(again.get(url) ?? []), at])
  const twice = [...again.values()].filter((times) => times.length > 1)
  expect(twice).toHaveLength(1)
  expect(twice[0]![0]!).toBeLessThan(heldUntil)
  expect(twice[0]![1]!).toBeGreaterThanOrEqual(heldUntil)
  for (const host of hosts) {
    const times = requests.filter((each) => each.host === host).map(({ at }) => at)
    const gaps = times.slice(1).map((at, i) => at - times[i]!)
    // A timer may fire a few milliseconds early.
    for (const gap of gaps) expect(gap).toBeGreaterThan(delay - 0.02)
  }
})
