import { expect, it } from 'vitest'
import { chaos } from '../../../scripts/chaos.mjs'

it('workers that are killed, frozen and cut off lose nothing, double nothing and ask no host too soon', async () => {
  const seen = await chaos({ minutes: 1, seed: 7 })
  expect(seen.kills).toBeGreaterThan(0)
  expect(seen.freezes).toBeGreaterThan(0)
  expect(seen.cuts + seen.restarts).toBeGreaterThan(0)
  expect(seen.acknowledged).toBeGreaterThan(200)
}, 300_000)
