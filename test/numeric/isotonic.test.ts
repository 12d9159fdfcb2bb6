import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isotonic, leastConcaveMajorant } from '../../src/numeric/isotonic.js'

const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
})

describe('isotonic', () => {
  it('pools violators by hand', () => {
    // By hand: 3 and 2 pool to 2.5; then 2.5, 4.
    expect([...isotonic([1, 3, 2, 4])]).toEqual([1, 2.5, 2.5, 4])
    expect([...isotonic([3, 0], [1, 2])]).toEqual([1, 1])
  })

  it('is nondecreasing, keeps the mean, and leaves an ordered input alone', () => {
    fc.assert(
      fc.property(values, (input) => {
        const fit = isotonic(input)
        for (let i = 1; i < fit.length; i++) expect(fit[i]!).toBeGreaterThanOrEqual(fit[i - 1]!)
        const total = (list: ArrayLike<number>) => Array.from(list).reduce((a, b) => a + b, 0)
        expect(total(fit)).toBeCloseTo(total(input), 6)
        const ordered = [...input].sort((a, b) => a - b)
        expect([...isotonic(ordered)]).toEqual(ordered)
      }),
      { seed: 5 },
    )
  })
})

describe('leastConcaveMajorant', () => {
  it('bridges a dent by hand', () => {
    expect([...leastConcaveMajorant([0, 1, 2, 3], [0, 0, 2, 2])]).toEqual([0, 1, 2, 2])
    expect([...leastConcaveMajorant([0], [7])]).toEqual([7])
  })

  it('lies on or above every point, is concave and touches both ends', () => {
    fc.assert(
      fc.property(values, (y) => {
        const x = y.map((_, i) => i)
        const hull = leastConcaveMajorant(x, y)
        for (let i = 0; i < y.length; i++) expect(hull[i]!).toBeGreaterThanOrEqual(y[i]! - 1e-9)
        for (let i = 2; i < y.length; i++)
          expect(hull[i]! - hull[i - 1]!).toBeLessThanOrEqual(hull[i - 1]! - hull[i - 2]! + 1e-9)
        expect(hull[0]).toBe(y[0])
        expect(hull[y.length - 1]).toBeCloseTo(y[y.length - 1]!, 9)
      }),
      { seed: 6 },
    )
  })
})
