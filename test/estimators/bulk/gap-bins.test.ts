import { describe, expect, it } from 'vitest'
import { binsOfDoubling } from '../../../src/estimators/bulk/gap-bins.js'
import { mostLikelyRate } from '../../../src/estimators/rate/likelihood.js'
import { Random } from '../../../src/numeric/random.js'

/** Each gap as the mean of its bin, as the statements take it. */
function binned(gaps: readonly number[]): number[] {
  const bins = new Map<number, number[]>()
  for (const gap of gaps) {
    const bin = Math.floor(binsOfDoubling * Math.log2(gap))
    bins.set(bin, [...(bins.get(bin) ?? []), gap])
  }
  return [...bins.values()].flatMap((all) => {
    const mean = all.reduce((sum, gap) => sum + gap, 0) / all.length
    return all.map(() => mean)
  })
}

describe('changed gaps in bins', () => {
  // The bound is derived in gap-bins.ts: over r = 2^(1/64) and the exact rate.
  it('lower the most likely rate, by less than the width of a bin', () => {
    const random = new Random(29)
    const width = 2 ** (1 / binsOfDoubling)
    let most = 0
    for (let page = 0; page < 3000; page++) {
      const spread = 10 ** (random.uniform() * 4 - 3)
      const middle = 10 ** (1 + random.uniform() * 6)
      const many = 1 + random.below(200)
      const hidden = Float64Array.from(
        { length: many },
        () => middle * Math.exp(spread * random.uniform()),
      )
      // From pages that changed at nearly every visit to those that seldom did.
      const exposure = middle * 10 ** (random.uniform() * 10 - 6)
      const exact = mostLikelyRate({ events: 0, exposure, hidden })
      const rate = mostLikelyRate({
        events: 0,
        exposure,
        hidden: Float64Array.from(binned([...hidden])),
      })
      expect(rate).toBeLessThanOrEqual(exact * (1 + 1e-9))
      expect(rate).toBeGreaterThan((exact / width) * (1 - 1e-9))
      most = Math.max(most, 1 - rate / exact)
    }
    // What the bins do is seen at all, and stays far within the bound.
    expect(most).toBeGreaterThan(1e-6)
    expect(most).toBeLessThan(1e-3)
  })
})
