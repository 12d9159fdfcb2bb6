import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QuantileSketch } from '../../../src/lab/statistics/quantile-sketch.js'
import { Random } from '../../../src/numeric/random.js'

function sketchOf(values: readonly number[]): QuantileSketch {
  const sketch = new QuantileSketch()
  for (const each of values) sketch.add(each)
  return sketch
}

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true })
const values = fc.array(fc.oneof(anyDouble, fc.constantFrom(0, -0, 1, -1)), {
  minLength: 1,
  maxLength: 60,
})

describe('QuantileSketch', () => {
  it('finds each quantile within 0.4% of the value of that rank', () => {
    fc.assert(
      fc.property(values, fc.nat(100), (all, percent) => {
        const p = percent / 100
        const found = sketchOf(all).quantile(p)!
        const sorted = Float64Array.from(all).sort()
        const rank = Math.min(all.length, Math.max(1, Math.ceil(all.length * p)))
        const exact = sorted[rank - 1]!
        // Below 2^-1022 / 128 bins have the width of the smallest normal number's.
        expect(Math.abs(found.value - exact)).toBeLessThanOrEqual(
          Math.abs(exact) * 2 ** -8 + 2 ** -1028,
        )
        expect(found.low).toBeLessThanOrEqual(found.value)
        expect(found.high).toBeGreaterThanOrEqual(found.value)
      }),
      { seed: 111, numRuns: 400 },
    )
  })

  it('gives the same bytes in any order and from any parts, sent as plain numbers', () => {
    fc.assert(
      fc.property(values, fc.nat(60), (all, at) => {
        const merged = new QuantileSketch(sketchOf(all.slice(at).reverse()).state)
        merged.merge(sketchOf(all.slice(0, at)))
        expect(JSON.stringify(merged.state)).toBe(JSON.stringify(sketchOf(all).state))
        expect(merged.count).toBe(all.length)
      }),
      { seed: 112, numRuns: 200 },
    )
  })

  // Coverage of 95% bounds over 400 runs: 4 binomial errors, and a little more for the bins.
  it.each([0.1, 0.5, 0.9])('holds the true %s-quantile within its bounds', (p) => {
    const random = new Random(113)
    const truth = -Math.log(1 - p)
    let held = 0
    let errors = 0
    for (let run = 0; run < 400; run++) {
      const found = sketchOf(Array.from({ length: 400 }, () => random.exponential())).quantile(p)!
      if (found.low <= truth && truth <= found.high) held++
      errors += found.standardError / 400
    }
    expect(held / 400).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / 400))
    // Closed form: sqrt(p (1 - p) / n) / density = sqrt(p / (1 - p) / 400).
    expect(errors / Math.sqrt(p / (1 - p) / 400)).toBeCloseTo(1, 0.6)
  })

  it('is exact where all values are alike, and at the ends', () => {
    const alike = sketchOf([0.3, 0.3, 0.3])
    expect(alike.quantile(0.5)).toEqual({ value: 0.3, low: 0.3, high: 0.3, standardError: 0 })
    const spread = sketchOf([3, 1, 2])
    expect([spread.quantile(0)!.value, spread.quantile(1)!.value]).toEqual([1, 3])
  })

  it('has nothing to tell before any value, and refuses what has no place', () => {
    expect(new QuantileSketch().quantile(0.5)).toBeNull()
    expect(() => new QuantileSketch().add(Number.NaN)).toThrow(/no place/)
    expect(() => sketchOf([1]).quantile(2)).toThrow(expect.objectContaining({ code: 'bad-p' }))
    expect(() => sketchOf([1]).quantile(0.5, { level: 1 })).toThrow(/level is 1/)
  })
})
