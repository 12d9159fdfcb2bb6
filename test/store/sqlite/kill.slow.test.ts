import { describe, expect, it } from 'vitest'
import { killAgainAndAgain } from '../../../scripts/kill-test.mjs'

describe('a process killed while it records visits', () => {
  // The built package in a process of its own; `node scripts/kill-test.mjs 200` goes on longer.
  it('loses nothing that was acknowledged and counts nothing twice, 20 times over', async () => {
    const { kills, acknowledged } = await killAgainAndAgain({ kills: 20, seed: 20 })
    expect(kills).toBe(20)
    // Enough load that a kill finds work under way.
    expect(acknowledged).toBeGreaterThan(200)
  })
})
