import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactRatio } from '../../../src/lab/statistics/exact-ratio.js'
import { Random } from '../../../src/numeric/random.js'
import { mean, variance } from '../../../src/numeric/summary.js'

type Part = { top: number; bottom: number }

function ratioOf(parts: readonly Part[]): ExactRatio {
  const ratio = new ExactRatio()
  for (const each of parts) ratio.add(each)
  return ratio
}

describe('ExactRatio', () => {
  it('is the ratio of the totals, with the error of its linear form', () => {
    // By hand: (1 + 2 + 6) / (2 + 3 + 4) = 1; residuals -1, -1, 2; sqrt(6 * 3 / 2) / 9 = 1/3.
    const parts = [
      { top: 1, bottom: 2 },
      { top: 2, bottom: 3 },
      { top: 6, bottom: 4 },
    ]
    const ratio = ratioOf(parts)
    expect(ratio.value).toBe(1)
    expect(ratio.standardError).toBeCloseTo(1 / 3, 15)
  })

  it('says null where there is no ratio or no error', () => {
    expect(new ExactRatio().value).toBeNull()
    expect(ratioOf([{ top: 1, bottom: 0 }]).value).toBeNull()
    const one = ratioOf([{ top: 1, bottom: 2 }])
    expect([one.value, one.standardError]).toEqual([0.5, null])
  })

  it('has no error where all parts agree', () => {
    const parts = [1, 2, 5, 100].map((bottom) => ({ top: bottom / 4, bottom }))
    expect(ratioOf(parts).standardError).toBe(0)
  })

  it('gives the same bytes from any parts', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    const part = fc.record({ top: number, bottom: number })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(30), (parts, at) => {
        const merged = ratioOf(parts.slice(at).reverse())
        merged.merge(new ExactRatio(JSON.parse(JSON.stringify(ratioOf(parts.slice(0, at)).state))))
        const whole = ratioOf(parts)
        expect([merged.value, merged.standardError]).toEqual([whole.value, whole.standardError])
        expect(merged.count).toBe(parts.length)
      }),
      { seed: 121, numRuns: 200 },
    )
  })

  it('tells an error that repeated runs show', () => {
    const random = new Random(122)
    const runs = Array.from({ length: 400 }, () =>
      ratioOf(
        Array.from({ length: 200 }, () => {
          const bottom = 1 + random.exponential()
          return { top: bottom * random.uniform(), bottom }
        }),
      ),
    )
    const spread = Math.sqrt(variance(runs.map((each) => each.value!)))
    // The spread of 400 runs is known to 3.5%: within 4 of these.
    expect(Math.abs(mean(runs.map((each) => each.standardError!)) / spread - 1)).toBeLessThan(0.14)
  })

  it('refuses what is not finite', () => {
    expect(() => ratioOf([{ top: Infinity, bottom: 1 }])).toThrow(/no finite number/)
  })
})
