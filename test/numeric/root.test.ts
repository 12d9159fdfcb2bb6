import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect, brent } from '../../src/numeric/root.js'

describe.each([
  ['bisect', bisect],
  ['brent', brent],
] as const)('%s', (_, solve) => {
  it('finds the root of cos x - x', () => {
    // The Dottie number.
    expect(solve((x) => Math.cos(x) - x, { low: 0, high: 1 })).toBeCloseTo(0.7390851332151607, 14)
  })

  it('stays in the bracket and finds where a line crosses zero', () => {
    const root = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    const width = fc.double({ min: 1e-3, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(root, width, width, (r, left, right) => {
        const found = solve((x) => (x - r) ** 3, { low: r - left, high: r + right })
        expect(found).toBeGreaterThanOrEqual(r - left)
        expect(found).toBeLessThanOrEqual(r + right)
        expect(Math.abs(found - r)).toBeLessThan(1e-3)
      }),
      { seed: 4 },
    )
  })

  it('gives the nearer end when there is no root', () => {
    expect(solve((x) => x + 1, { low: 0, high: 5 })).toBe(0)
  })
})
