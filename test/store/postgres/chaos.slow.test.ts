import { expect, it } from 'vitest'
import { chaos } from '../../../scripts/chaos.mjs'

it('workers that are killed, frozen and cut off lose nothing, double nothing and ask no host too soon', async () => {
  const { kills, freezes, cuts, restarts, acknowledged } = await chaos({ minutes: 1, seed: 7 })
  expect(kills + freezes + cuts + restarts).toBeGreaterThan(8)
  expect(acknowledged).toBeGreaterThan(200)
}, 240_000)
