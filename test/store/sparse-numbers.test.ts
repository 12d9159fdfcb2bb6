import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packNumbers, unpackNumbers } from '../../src/store/packed-numbers.js'

describe('numbers of a learner', () => {
  it('come back to the bit, NaN and minus zero among them', () => {
    const number = fc.oneof(fc.constantFrom(0, -0, Number.NaN, Infinity, -Infinity), fc.double())
    fc.assert(
      fc.property(fc.array(number, { maxLength: 200 }), (given) => {
        const numbers = Float64Array.from(given)
        const back = unpackNumbers(packNumbers(numbers))
        expect(back.length).toBe(numbers.length)
        for (const [at, value] of numbers.entries()) expect(Object.is(back[at], value)).toBe(true)
      }),
      { seed: 8 },
    )
  })

  it('take no room for zeros', () => {
    // By hand: 4 bytes of length, 9 of map, 8 for each of the two that are not zero.
    const numbers = new Float64Array(70)
    numbers[3] = 1
    numbers[69] = 2
    expect(packNumbers(numbers)).toHaveLength(4 + 9 + 16)
  })

  it('are read from the middle of a larger buffer', () => {
    const packed = packNumbers(Float64Array.of(0, 1.5, 0, -2))
    const buffer = new Uint8Array(packed.length + 5)
    buffer.set(packed, 3)
    expect([...unpackNumbers(buffer.subarray(3, 3 + packed.length))]).toEqual([0, 1.5, 0, -2])
  })
})
