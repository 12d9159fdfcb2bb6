import { expect, it } from 'vitest'
import { chaos } from '../../../scripts/chaos.mjs'

/**
 * Without freezes: a process that is frozen while it connects to a host, for
 * longer than its lease holds, sends its request when it thaws, whoever has
 * the host by then. `npm run chaos` shows it; docs/decisions/0012 says more.
 */
it('workers that are killed and cut off lose nothing, double nothing and ask no host too soon', async () => {
  const seen = await chaos({ minutes: 0.7, seed: 7, freezes: false })
  expect(seen.kills + seen.cuts + seen.restarts).toBeGreaterThan(5)
  expect(seen.acknowledged).toBeGreaterThan(200)
}, 300_000)
