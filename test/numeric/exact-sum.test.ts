import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactSum, productError } from '../../src/numeric/exact-sum.js'

const doubles = fc.double({ min: -1e300, max: 1e300, noNaN: true })

describe('ExactSum', () => {
  it('is 0 when empty', () => {
    expect(new ExactSum().value).toBe(0)
  })

  // The first is the textbook case; the last two are from CPython's tests of math.fsum.
  it.each([
    [[1, 1e100, 1, -1e100], 2],
    [[0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17],
    [Array.from({ length: 10 }, () => 0.1), 1],
    [[2 ** 53, -0.5, -(2 ** -54)], 2 ** 53 - 1],
    [[2 ** 53, 1, 2 ** -100], 2 ** 53 + 2],
  ])('adds %j to %s', (values, expected) => {
    expect(new ExactSum(values).value).toBe(expected)
  })

  it('does not care for the order, nor for how parts are merged', () => {
    fc.assert(
      fc.property(fc.array(doubles, { maxLength: 40 }), fc.nat(40), (values, at) => {
        const forward = new ExactSum(values)
        const merged = new ExactSum(values.slice(at).reverse())
        merged.merge(new ExactSum(values.slice(0, at)))
        expect(merged.value).toBe(forward.value)
        expect(merged.parts).toEqual(forward.parts)
        expect(new ExactSum(merged.partials).value).toBe(forward.value)
      }),
      { seed: 61, numRuns: 300 },
    )
  })

  it('agrees with whole numbers of any length', () => {
    const whole = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n })
    const shifted = fc.tuple(whole, fc.integer({ min: 0, max: 120 }))
    fc.assert(
      fc.property(fc.array(shifted, { maxLength: 30 }), (values) => {
        const exact = values.reduce((sum, [value, shift]) => sum + (value << BigInt(shift)), 0n)
        const found = new ExactSum(values.map(([value, shift]) => Number(value) * 2 ** shift))
        expect(found.value + 0).toBe(Number(exact))
      }),
      { seed: 62, numRuns: 300 },
    )
  })

  it('adds products without rounding', () => {
    const whole = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n })
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const [x, y] = [Number(a), Number(b)]
        const product = x * y
        expect(BigInt(product) + BigInt(productError({ a: x, b: y, product }))).toBe(a * b)
        const sum = new ExactSum()
        sum.addProduct({ a: x, b: y })
        sum.add(-product)
        expect(sum.value + 0).toBe(Number(a * b - BigInt(product)))
        const fourth = new ExactSum([x, y]).times(new ExactSum([product])).times(new ExactSum([y]))
        expect(fourth.value + 0).toBe(Number((a + b) * BigInt(product) * b))
      }),
      { seed: 63, numRuns: 300 },
    )
  })
})
