import { expect } from 'vitest'
import { Random } from '../../../src/numeric/random.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { newDatabase, newSchema } from '../../fixtures/postgres.js'
import { cutKinds, LossyProxy } from './lossy-proxy.js'

const now = 1_700_000_000
const collection = 'news'

/** Records visits through connections that are cut at each commit; every visit must be counted once. */
export async function cutCommits(rounds: number): Promise<void> {
  const address = newSchema(await newDatabase())
  const proxy = new LossyProxy(address)
  const store = await openPostgresStore({ url: await proxy.listen() })
  const random = new Random(4)
  const pages = [1, 2, 3].map((page) => ({ url: `https://a.example/${page}` }))
  await store.addPages({ collection, now, pages })
  const results: string[] = []
  for (let round = 0; round < rounds; round++) {
    const at = now + round * 100
    const terms = { collection, now: at, limit: 3, perHost: 3, ttl: 50, worker: 'w' }
    const leases = await store.leaseDue(terms)
    expect(leases).toHaveLength(3)
    // Half of them where the commit took place and nobody was told.
    const cut = round % 2 === 0 ? cutKinds[0]! : cutKinds[Math.floor(random.uniform() * 3)]!
    proxy.arm(cut)
    const due = { at: at + 1, reason: '' }
    const visit = aVisit({ at, outcome: 'changed' })
    results.push(...(await store.recordVisits(leases.map((lease) => ({ lease, visit, due })))))
  }
  expect(proxy.cuts).toBe(rounds)
  expect(results).toHaveLength(3 * rounds)
  expect(new Set(results)).toEqual(new Set(['recorded']))
  expect(await store.totals()).toMatchObject({ visits: 3 * rounds })
  for (const { url } of pages)
    expect(await store.getPage({ collection, url })).toMatchObject({
      visits: rounds,
      changes: rounds,
    })
  expect(await store.check()).toEqual([])
  await store.close()
  proxy.close()
}
