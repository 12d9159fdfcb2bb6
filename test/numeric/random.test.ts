import { describe, expect, it } from 'vitest'
import { Random } from '../../src/numeric/random.js'
import { mean, variance } from '../../src/numeric/summary.js'

const draws = (count: number, draw: () => number) => Float64Array.from({ length: count }, draw)

describe('Random', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const three = (seed: number) => {
      const random = new Random(seed)
      return [random.bits(), random.bits(), random.bits()]
    }
    expect(three(7)).toEqual(three(7))
    expect(three(7)).not.toEqual(three(8))
    // Stored once: a change of these bytes changes every seeded result.
    expect(three(1)).toEqual([393288148, 2174103013, 3814759091])
  })

  it('gives each index of a seed a stream of its own', () => {
    const start = (seed: number, index: number) => {
      const random = Random.stream({ seed, index })
      return `${random.bits()} ${random.bits()} ${random.bits()}`
    }
    expect(start(3, 4)).toBe(start(3, 4))
    const pairs = [0, 1, 2, 3, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 51]
    const starts = pairs.flatMap((seed) => pairs.map((index) => start(seed, index)))
    expect(new Set(starts).size).toBe(pairs.length ** 2)
  })

  // The first draws of neighbouring streams: mean 1/2 and variance 1/12, 5 standard errors of 100,000.
  it('gives neighbouring streams unrelated numbers', () => {
    const firsts = draws(100_000, () => 0).map((_, index) =>
      Random.stream({ seed: 9, index }).uniform(),
    )
    expect(Math.abs(mean(firsts) - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / 1e5))
    const products = firsts.slice(1).map((each, i) => (each - 0.5) * (firsts[i]! - 0.5))
    expect(Math.abs(mean(products))).toBeLessThan(5 / 12 / Math.sqrt(1e5))
  })

  it('forks streams that do not meet', () => {
    const source = new Random(5)
    const first = source.fork()
    const second = source.fork()
    const seen = new Set(draws(2000, () => first.bits()))
    const shared = draws(2000, () => second.bits()).filter((bits) => seen.has(bits))
    expect(shared.length).toBeLessThan(5)
  })

  // Closed forms: mean and variance of each law; tolerance 5 standard errors of 200,000 draws.
  it.each([
    ['uniform', (r: Random) => r.uniform(), 1 / 2, 1 / 12],
    ['exponential', (r: Random) => r.exponential(), 1, 1],
    ['normal', (r: Random) => r.normal(), 0, 1],
    ['gamma of shape 0.4', (r: Random) => r.gamma(0.4), 0.4, 0.4],
    ['gamma of shape 5', (r: Random) => r.gamma(5), 5, 5],
    ['poisson of mean 0.7', (r: Random) => r.poisson(0.7), 0.7, 0.7],
    ['poisson of mean 1200', (r: Random) => r.poisson(1200), 1200, 1200],
  ] as const)(
    'draws %s with its mean and variance',
    (name, draw, expectedMean, expectedVariance) => {
      const random = new Random(11)
      const count = name.includes('1200') ? 5000 : 200_000
      const values = draws(count, () => draw(random))
      expect(Math.abs(mean(values) - expectedMean)).toBeLessThan(
        5 * Math.sqrt(expectedVariance / count),
      )
      expect(variance(values) / expectedVariance).toBeCloseTo(1, count > 10_000 ? 1 : 0)
    },
  )

  it('never takes the logarithm of zero', () => {
    const random = new Random(3)
    for (let i = 0; i < 100_000; i++) expect(random.positive()).toBeGreaterThan(0)
  })
})
