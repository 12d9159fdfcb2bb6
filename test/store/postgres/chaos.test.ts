import { expect, it } from 'vitest'
import { chaos } from '../../../scripts/chaos.mjs'

/** The same as `npm run chaos`, small and fast: what it judges by is exact on a busy machine, too. */
it('workers that are killed, frozen and cut off lose nothing, double nothing and ask no host too soon', async () => {
  const seen = await chaos({
    minutes: 1,
    seed: 3,
    hosts: 60,
    delay: 1.5,
    leaseTime: 2,
    every: [400, 1200],
  })
  expect(seen.kills).toBeGreaterThan(0)
  expect(seen.freezes).toBeGreaterThan(0)
  expect(seen.cuts + seen.restarts).toBeGreaterThan(0)
  expect(seen.acknowledged).toBeGreaterThan(0)
}, 300_000)
