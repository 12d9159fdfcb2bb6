import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactMoments, RunningMoments } from '../../../src/lab/statistics/moments.js'
import { Random } from '../../../src/numeric/random.js'
import { mean, variance } from '../../../src/numeric/summary.js'

// fast-check's doubles crowd at the ends of their range, hence the thirds.
const value = fc.oneof(
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.integer({ min: -1e6, max: 1e6 }).map((whole) => whole / 3),
)
const values = fc.array(value, { maxLength: 40 })

function momentsOf<T extends { add(value: number): void }>(moments: T, all: readonly number[]): T {
  for (const each of all) moments.add(each)
  return moments
}

describe.each([
  ['RunningMoments', () => new RunningMoments()],
  ['ExactMoments', () => new ExactMoments()],
] as const)('%s', (_, make) => {
  it('agrees with two passes over the values', () => {
    fc.assert(
      fc.property(values, (all) => {
        const found = momentsOf(make(), all)
        expect(found.count).toBe(all.length)
        if (all.length === 0) return
        const size = Math.max(...all.map(Math.abs), 1)
        expect(Math.abs(found.mean - mean(all))).toBeLessThanOrEqual(1e-12 * size)
        expect(Math.abs(found.variance - variance(all))).toBeLessThanOrEqual(1e-12 * size * size)
      }),
      { seed: 101, numRuns: 200 },
    )
  })

  it('is 0 before there is anything to tell', () => {
    const moments = make()
    expect([moments.count, moments.mean, moments.variance]).toEqual([0, 0, 0])
    moments.add(5)
    expect([moments.count, moments.mean, moments.variance]).toEqual([1, 5, 0])
  })
})

describe('RunningMoments', () => {
  it('merges as if all had come in one row', () => {
    const random = new Random(102)
    const all = Array.from({ length: 1000 }, () => random.exponential())
    const merged = momentsOf(new RunningMoments(), all.slice(0, 300))
    merged.merge(momentsOf(new RunningMoments(), all.slice(300)))
    merged.merge(new RunningMoments())
    expect(merged.count).toBe(1000)
    expect(merged.mean).toBeCloseTo(mean(all), 12)
    expect(merged.standardDeviation).toBeCloseTo(Math.sqrt(variance(all)), 12)
  })
})

describe('ExactMoments', () => {
  const reported = (moments: ExactMoments) => [
    moments.count,
    moments.mean,
    moments.variance,
    moments.meanError,
    moments.deviationError,
  ]

  it('gives the same bytes in any order and from any parts, sent as plain numbers', () => {
    fc.assert(
      fc.property(values, fc.nat(40), fc.nat(40), (all, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const parts = [all.slice(high), all.slice(0, low), all.slice(low, high)]
        const merged = new ExactMoments()
        for (const part of parts) {
          const { state } = momentsOf(new ExactMoments(), part.reverse())
          merged.merge(new ExactMoments(JSON.parse(JSON.stringify(state))))
        }
        expect(reported(merged)).toEqual(reported(momentsOf(new ExactMoments(), all)))
      }),
      { seed: 103, numRuns: 200 },
    )
  })

  it('loses nothing to a mean far above the deviation', () => {
    // By hand: 1, 2, 3, 4 above 2^40: variance 5/3; m4 = (2 * 1.5^4 + 2 * 0.5^4) / 4 = 2.5625.
    const moments = momentsOf(
      new ExactMoments(),
      [1, 2, 3, 4].map((each) => 2 ** 40 + each),
    )
    expect(moments.variance).toBe(5 / 3)
    // m4 - s^4 = 2.5625 - 2.7778 is below 0 for so few: no error can be told.
    expect(moments.deviationError).toBe(0)
    const twelve = momentsOf(
      new ExactMoments(),
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12].map((each) => 2 ** 40 + each),
    )
    // Mean 1; squares 11 + 121 = 132, s^2 = 12; m4 = (11 + 14641) / 12 = 1221; sqrt((1221 - 144) / 12 / 12) / 2.
    expect(twelve.variance).toBe(12)
    expect(twelve.deviationError).toBeCloseTo(Math.sqrt((1221 - 144) / 144) / 2, 12)
  })

  it('tells errors that repeated runs show', () => {
    const random = new Random(104)
    const runs = Array.from({ length: 400 }, () => {
      const moments = new ExactMoments()
      for (let i = 0; i < 500; i++) moments.add(random.exponential())
      return moments
    })
    const spread = (of: (moments: ExactMoments) => number) => Math.sqrt(variance(runs.map(of)))
    const typical = (of: (moments: ExactMoments) => number) => mean(runs.map(of))
    // A standard deviation of 400 is itself known to 3.5%: 4 errors; the small-sample loss adds some.
    expect(typical((each) => each.meanError) / spread((each) => each.mean)).toBeCloseTo(1, 0.5)
    const ratio = typical((each) => each.deviationError) / spread((each) => each.standardDeviation)
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.15)
    // Normal theory, s / sqrt(2 n) = 0.0316, would be half of the true 0.0632 = sqrt((9 - 1) / 500) / 2.
    expect(typical((each) => each.deviationError)).toBeCloseTo(0.0632, 2)
  })

  it.each([Number.NaN, Infinity, 1e80])('refuses %s', (value) => {
    expect(() => new ExactMoments().add(value)).toThrow(
      expect.objectContaining({ code: 'bad-value' }),
    )
  })
})
