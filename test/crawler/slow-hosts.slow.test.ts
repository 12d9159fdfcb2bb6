import { describe, expect, it } from 'vitest'
import { Cycle } from '../../src/crawler/loop.js'
import { systemClock } from '../../src/crawler/system-clock.js'
import type { PoliteVisit } from '../../src/model/fetcher.js'
import type { Reader } from '../../src/model/reader.js'
import { Random } from '../../src/numeric/random.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

const collection = 'c'
const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}

/** Runs the loop for a while over pages whose hosts are good or slow by their names; visits by host. */
async function visitsIn(
  seconds: number,
  {
    urls,
    slowTime,
    ahead,
  }: { readonly urls: readonly string[]; readonly slowTime: number; readonly ahead: number },
): Promise<{ good: number; mostAtOnce: number }> {
  const store = openMemoryStore()
  const now = systemClock.now()
  await store.addPages({ collection, pages: urls.map((url) => ({ url })), now })
  const stop = new AbortController()
  const under = new Map<string, number>()
  let mostAtOnce = 0
  const web: WholeVisits = {
    async visit({ url }): Promise<PoliteVisit> {
      const { host } = new URL(url)
      const count = (under.get(host) ?? 0) + 1
      under.set(host, count)
      mostAtOnce = Math.max(mostAtOnce, count)
      if (host.startsWith('slow')) await systemClock.sleep(slowTime, stop.signal)
      under.set(host, under.get(host)! - 1)
      const body = new TextEncoder().encode(url)
      const at = systemClock.now()
      const answer = { kind: 'content', status: 200, at, url, headers: {}, body } as const
      return { kind: 'answered', answer: { ...answer, bytesReceived: body.length }, hosts: [] }
    },
  }
  const plannerFor = () => ({ policy: fixed({ gap: 0.2 }), learner: null })
  const cycle = new Cycle(
    {
      store,
      clock: systemClock,
      visitor: visitorOf(web),
      reader,
      random: new Random(1),
      plannerFor,
    },
    { collection, worker: 'test', concurrency: 4, ahead },
  )
  let good = 0
  setTimeout(() => stop.abort(), seconds * 1000)
  await cycle.run({
    signal: stop.signal,
    onVisit({ lease }) {
      if (lease.host.startsWith('good')) good++
    },
  })
  return { good, mostAtOnce }
}

const goodHosts = Array.from({ length: 10 }, (_, n) => `http://good${n}.example/`)

describe('slow hosts', () => {
  it('keep their own host waiting, and not the others', async () => {
    const slow = Array.from({ length: 24 }, (_, n) => `http://slow${n}.example/`)
    const alone = await visitsIn(6, { urls: goodHosts, slowTime: 60, ahead: 1 })
    const among = await visitsIn(20, { urls: [...slow, ...goodHosts], slowTime: 60, ahead: 1 })
    // 24 slow visits take 4 places for 2 s each until all linger: 12 s; then all is as without them.
    expect(among.good).toBeGreaterThan(0.8 * alone.good)
    expect(among.mostAtOnce).toBe(1)
  })

  it('with pages that wait do not keep others from being leased', async () => {
    const slow = [1, 2, 3].map((n) => `http://slow.example/${n}`)
    const alone = await visitsIn(4, { urls: goodHosts, slowTime: 0.9, ahead: 32 })
    const among = await visitsIn(4, { urls: [...slow, ...goodHosts], slowTime: 0.9, ahead: 32 })
    expect(among.good).toBeGreaterThan(0.8 * alone.good)
    expect(among.mostAtOnce).toBe(1)
  })
})
