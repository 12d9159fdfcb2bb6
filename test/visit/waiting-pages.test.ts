import { describe, expect, it } from 'vitest'
import { pageReader } from '../../src/content/page-reader.js'
import { Cycle } from '../../src/crawler/loop.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import { webHostOf } from '../../src/formats/url.js'
import { HOUR, type Json } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { newHost } from '../../src/visit/politeness/host-state.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { localFetcher } from './local-fetcher.js'
import { site, to } from './polite-site.js'

/** The loop over real HTTP, by a clock that moves only while somebody sleeps. */
async function loop(urls: readonly string[]) {
  const clock = new VirtualClock(1.7e9)
  const store = openMemoryStore()
  const collection = 'c'
  const gate = new HostGate({ clock, politeness: { delay: 0 } })
  const parts = {
    clock,
    store,
    visitor: new PoliteVisitor({ fetcher: localFetcher({ clock }), gate }),
    reader: pageReader,
    random: new Random(1),
    plannerFor: () => ({ policy: malcolmArmitage(), learner: malcolmArmitageLearner }),
  }
  await store.addPages({ collection, pages: urls.map((url) => ({ url })), now: clock.now() })
  return {
    clock,
    store,
    async once() {
      const cycle = new Cycle(parts, { collection, worker: 'w' })
      // No visit of these tests waits for its host while it is under way.
      clock.busy = () => cycle.underWay > 0
      await cycle.run({ once: true, patience: 200 })
    },
    pages: async () => (await store.listPages({ collection, limit: 10 })).pages,
  }
}

describe('the loop', () => {
  it('records the fault of a host that cannot be reached, and tries again soon', async () => {
    const { once, pages, clock } = await loop(['http://127.0.0.1:1/'])
    const from = clock.now()
    await once()
    const [page] = await pages()
    expect(page).toMatchObject({ lastVisit: { outcome: 'failed' }, failing: 1 })
    expect(page!.due.at).toBe(from + 600)
    expect(page!.due.reason).toMatch(/failed \(connect/)
  })

  it('visits a page as soon as the robots.txt of its host answers', async () => {
    let asked = 0
    const { base } = await site((_, response) =>
      response.writeHead(++asked === 1 ? 503 : 404, { 'retry-after': '90' }).end(),
    )
    const { once, pages, clock } = await loop([`${base}/p`])
    const from = clock.now()
    await once()
    const [page] = await pages()
    expect(page).toMatchObject({ lastVisit: { outcome: 'first' }, visits: 1 })
    expect(clock.now() - from).toBeGreaterThanOrEqual(90)
    expect(clock.now() - from).toBeLessThan(200)
  })

  it('puts off a page that leads to a host which rests, and nothing else', async () => {
    const other = await site('')
    const { base } = await site('', (request, response) =>
      request.url === '/leads' ? to(other.base)(request, response) : response.end('x'),
    )
    const { once, pages, clock, store } = await loop([`${base}/leads`, `${base}/stays`])
    const host = webHostOf(other.base)!
    const until = clock.now() + HOUR
    const state = { ...newHost(host), nextAllowedAt: until } as unknown as Json
    await store.putHosts([{ host, state, blockedUntil: until }])
    await once()
    const [leads, stays] = await pages()
    expect(stays).toMatchObject({ lastVisit: { outcome: 'first' } })
    expect(leads).toMatchObject({ lastVisit: null, failing: 0, due: { at: until } })
    expect(leads!.due.reason).toContain(host)
    expect(await store.getHost(webHostOf(base)!)).toMatchObject({
      blockedUntil: null,
      state: { today: { requests: 3 } },
    })
    await clock.sleep(until - clock.now())
    await once()
    expect((await pages())[0]).toMatchObject({ lastVisit: { outcome: 'first' } })
    expect(other.asked).toEqual(['/robots.txt', '/'])
  })
})
