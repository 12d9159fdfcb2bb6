import { describe, expect, it } from 'vitest'
import { commonGap, RateBins } from '../../src/server/collection/forecast.js'

describe('the one gap for all pages', () => {
  // By hand: one page that changes once a second is fresh for 1 - 1/e of the time at a gap of 1 s.
  it('is found for one page', () => {
    const bins = new RateBins()
    bins.add(1, 1)
    expect(bins.freshnessAt(1)).toBeCloseTo(1 - Math.exp(-1), 12)
    expect(commonGap(bins, 1 - Math.exp(-1))).toBeCloseTo(1, 6)
  })

  it('gives the freshness it was asked for, of any mixture', () => {
    const bins = new RateBins()
    for (const period of [60, 3600, 86_400, 1e7]) bins.add(1 / period, period / 1e6)
    for (const freshness of [0.2, 0.5, 0.9, 0.99])
      expect(bins.freshnessAt(commonGap(bins, freshness)!)).toBeCloseTo(freshness, 6)
  })

  it('is none where no gap would do', () => {
    const bins = new RateBins()
    bins.add(1e-9, 1)
    expect(commonGap(bins, 1e-9)).toBeNull()
    expect(commonGap(bins, 1)).toBeNull()
  })
})
