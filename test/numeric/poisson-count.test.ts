import { describe, expect, it } from 'vitest'
import { poissonCount, Random } from '../../src/numeric/random.js'
import { chiSquareQuantile, logGamma } from '../../src/numeric/special-functions.js'

describe('poissonCount', () => {
  it('is 0 for a mean of 0', () => {
    expect(poissonCount(new Random(1), 0)).toBe(0)
  })

  // Pearson's chi-square against e^-m m^k / k!, cells of 10 expected or more; once in a thousand.
  it.each([0.2, 3, 9.9, 10, 25, 400])('has the Poisson law at a mean of %s', (mean) => {
    const random = new Random(51)
    const draws = 50_000
    const seen = new Map<number, number>()
    for (let i = 0; i < draws; i++) {
      const count = poissonCount(random, mean)
      seen.set(count, (seen.get(count) ?? 0) + 1)
    }
    let [distance, cells, restSeen, restExpected] = [0, 0, draws, draws]
    for (let k = 0; k < 2 * mean + 50; k++) {
      const expected = draws * Math.exp(-mean + k * Math.log(mean) - logGamma(k + 1))
      if (expected < 10) continue
      distance += ((seen.get(k) ?? 0) - expected) ** 2 / expected
      restSeen -= seen.get(k) ?? 0
      restExpected -= expected
      cells++
    }
    distance += (restSeen - restExpected) ** 2 / restExpected
    expect(distance).toBeLessThan(chiSquareQuantile(0.999, { freedom: cells }))
  })

  it('keeps its mean and variance where counts are millions', () => {
    const random = new Random(52)
    const mean = 5e7
    let [sum, squares] = [0, 0]
    for (let i = 0; i < 20_000; i++) {
      const off = poissonCount(random, mean) - mean
      sum += off
      squares += off * off
    }
    // 4 standard errors of 20,000 draws.
    expect(Math.abs(sum / 20_000)).toBeLessThan(4 * Math.sqrt(mean / 20_000))
    expect(Math.abs(squares / 20_000 / mean - 1)).toBeLessThan(4 * Math.sqrt(2 / 20_000))
  })
})
