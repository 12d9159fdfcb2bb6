import { describe, expect, it } from 'vitest'
import { coverageOf, tenLaws, threeGaps } from './ten-laws.js'

/**
 * The short form of coverage.slow.test.ts: few pages a law, so ten laws are counted together.
 * Before, at equal gaps, bounds of the update gaps held 0% of the time for Pareto updates.
 */
describe.each(threeGaps)('95%% bounds at %s gaps', (_, gap) => {
  it('hold at least 90% over ten laws of update gaps', () => {
    const found = tenLaws.map((law, i) =>
      coverageOf(law, { gap, pages: 6, visits: 200, copies: 40, seed: 100 + i }),
    )
    for (const what of [
      'contentAges',
      'updateGaps',
      'changePeriod',
      'stale',
      'updatesBehind',
    ] as const) {
      const held = found.reduce((sum, each) => sum + each[what].held, 0)
      const of = found.reduce((sum, each) => sum + each[what].of, 0)
      expect(of, what).toBeGreaterThan(50)
      expect(held / of, what).toBeGreaterThanOrEqual(0.9)
    }
  })
})
