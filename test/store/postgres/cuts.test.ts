import { expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { newDatabase, newSchema } from '../../fixtures/postgres.js'
import { cutCommits } from './cut-commits.js'
import { cutKinds, LossyProxy } from './lossy-proxy.js'

const now = 1_700_000_000
const collection = 'news'

it('connections cut at their commit: every visit is counted once', () => cutCommits(30))

it('leases, settings and new pages survive cuts, too', async () => {
  const proxy = new LossyProxy(newSchema(await newDatabase()))
  const store = await openPostgresStore({ url: await proxy.listen() })
  await store.addPages({ collection, now, pages: [{ url: 'https://a.example/' }] })
  for (const kind of cutKinds) {
    proxy.arm(kind)
    const pages = [{ url: `https://b.example/${encodeURIComponent(kind)}` }]
    expect(await store.addPages({ collection, now, pages })).toEqual({ added: 1, already: 0 })
    proxy.arm(kind)
    const ask = { collection, host: 'a.example', now, limit: 9, perHost: 1, ttl: 9, worker: 'w' }
    const leases = await store.leaseDue(ask)
    expect(leases).toHaveLength(1)
    await store.releaseLeases(leases)
    proxy.arm(kind)
    const { requests } = await store.addToDay(collection, 'requests', { day: 7, requests: 1 })
    expect(requests).toBe(cutKinds.indexOf(kind) + 1)
    // What only reads is asked again.
    const reading = store.countPages({ collection })
    proxy.cutAll()
    expect(await reading).toBeGreaterThan(1)
  }
  expect(proxy.cuts).toBe(9)
  expect(await store.check()).toEqual([])
  await store.close()
  proxy.close()
})
