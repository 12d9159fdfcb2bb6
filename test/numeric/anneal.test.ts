import { describe, expect, it } from 'vitest'
import { anneal } from '../../src/numeric/anneal.js'
import { Random } from '../../src/numeric/random.js'

describe('anneal', () => {
  const box = { low: [-4, -4], high: [4, 4], hot: 1, steps: 4000 }

  it('comes to the bottom of a bowl', () => {
    const cost = ([x, y]: Float64Array) => (x! - 1) ** 2 + 10 * (y! + 2) ** 2
    const { point, cost: least } = anneal({ ...box, cost, start: [4, 4], random: new Random(1) })
    // The last temperature is 1e-5: the chain ends about that far above the bottom.
    expect(point[0]).toBeCloseTo(1, 2)
    expect(point[1]).toBeCloseTo(-2, 2)
    expect(least).toBeLessThan(1e-5)
  })

  it('leaves the wrong well, which a descent would not', () => {
    // Wells of depth 0 at -2 and of height 0.3 at 2, with a hump of 1 between.
    const cost = ([x]: Float64Array) =>
      ((x! * x!) / 4 - 1) ** 2 + (x! > 0 ? 0.3 * (x! / 2) ** 2 : 0)
    const ends = [11, 12, 13, 14, 15].map(
      (seed) => anneal({ ...box, cost, start: [2, 0], random: new Random(seed) }).point[0]!,
    )
    for (const end of ends) expect(end).toBeCloseTo(-2, 2)
  })

  it('stays in its box, where the lowest point is a corner', () => {
    const cost = ([x, y]: Float64Array) => 8 + x! + y!
    const { point } = anneal({ ...box, cost, start: [0, 0], random: new Random(2) })
    expect(Math.min(...point)).toBeGreaterThanOrEqual(-4)
    expect(Math.max(...point)).toBeLessThan(-3.99)
  })

  it('gives the same answer for the same seed', () => {
    const cost = ([x, y]: Float64Array) => Math.abs(x! * y! - 1)
    const run = (seed: number) => anneal({ ...box, cost, start: [3, 3], random: new Random(seed) })
    expect(run(7)).toEqual(run(7))
    expect(run(7)).not.toEqual(run(8))
  })
})
