import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chiSquareQuantile,
  erfc,
  gammaP,
  gammaQ,
  gammaQuantile,
  logGamma,
  normalQuantile,
  normalTail,
} from '../../src/numeric/special-functions.js'
import { lambertW } from '../fixtures/lambert-w.js'

/** All expected values in this file: SciPy 1.x, scipy.special and scipy.stats.norm. */
function near(actual: number, expected: number, relative = 1e-12): void {
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected) + 1e-300,
  )
}

describe('gamma functions', () => {
  it.each([
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247],
    [1.5, -0.12078223763524526],
    [3.3, 0.9870985778947343],
    [10, 12.801827480081469],
    [100.5, 361.43554046777757],
    [1e5, 1051287.7089736569],
    [1e8, 1742068066.1038349],
  ])('logGamma(%s)', (x, value) => near(logGamma(x), value))

  it.each([
    [0.5, 0.1, 0.34527915398142317, 0.6547208460185768],
    [0.5, 3, 0.9856941215645704, 0.014305878435429641],
    [1, 1, 0.6321205588285577, 0.36787944117144245],
    [2.5, 7, 0.9843905838997331, 0.01560941610026691],
    [10, 9.5, 0.47817397776279236, 0.5218260222372076],
    [100, 120, 0.9721362601094793, 0.027863739890520652],
    [1000, 999, 0.491586426067856, 0.508413573932144],
    [1e4, 1.02e4, 0.9767126778664013, 0.02328732213359879],
  ])('gammaP and gammaQ(%s, %s)', (a, x, lower, upper) => {
    near(gammaP(a, x), lower, 1e-10)
    near(gammaQ(a, x), upper, 1e-10)
  })

  it.each([
    [0.5, 0.95, 1.920729410347062],
    [0.5, 1e-6, 7.853981633978593e-13],
    [1, 0.5, 0.6931471805599455],
    [3.7, 0.025, 0.9408724643775055],
    [25, 0.975, 35.71009759375321],
    [500, 0.3, 488.0367956288871],
    [0.05, 0.2, 6.128540904101326e-15],
  ])('gammaQuantile(%s, %s)', (a, p, value) => near(gammaQuantile(a, p), value, 1e-10))

  // mpmath 1.3, the series of A&S 6.5.29 in 40 digits.
  it.each([
    [1e5, 90513.16701949487, 2.391454113226473e-211, 1],
    [1e5, 1e5, 0.5004205221103653, 0.4995794778896348],
    [1e6, 997000, 0.0013381041673135997, 0.9986618958326864],
    [1e8, 99700000, 1.9908822896467062e-198, 1],
    [1e8, 99990000, 0.15865525352814383, 0.8413447464718562],
    [1e8, 1e8, 0.5000132980760141, 0.4999867019239859],
  ])('gammaP and gammaQ(%s, %s), large', (a, x, lower, upper) => {
    near(gammaP(a, x), lower)
    near(gammaQ(a, x), upper)
  })

  it('stays right where a is larger than any count', () => {
    // The law of a is normal there: by hand, P(a, a) is a half and 1 / (3 sqrt(2 pi a)).
    for (const a of [1e9, 1e12, 1e15, 1e20, 1e30]) {
      near(gammaP(a, a), 0.5 + 1 / (3 * Math.sqrt(2 * Math.PI * a)))
      near(gammaP(a, a) + gammaQ(a, a), 1)
      expect(gammaP(a, 0.5 * a)).toBe(0)
      expect(gammaQ(a, 2 * a)).toBe(0)
    }
  })

  it('has no step where one way of reckoning takes over from the other', () => {
    for (const z of [-20, -5, -1, 0, 1, 5, 20]) {
      const at = (a: number) => gammaP(a, a + z * Math.sqrt(a)) / gammaQ(a, a + z * Math.sqrt(a))
      const [under, over, further] = [at(99_999.9), at(100_000), at(100_000.1)]
      near(over / under, further / over, 1e-9)
    }
  })

  // mpmath 1.3, Newton's steps in 40 digits.
  it.each([
    [0.5, 1e-120, 7.853981633974483e-241],
    [3, 1e-120, 1.817120592832139e-40],
    [30, 1e-120, 0.0012044965032570513],
    [300, 1e-200, 26.273766686675778],
    [3000, 1e-300, 1399.946407215126],
    [1e6, 1e-200, 970097.4357112577],
    [0.001, 0.9, 9.82165964406664e-47],
  ])('gammaQuantile(%s, %s), far out', (a, p, value) => near(gammaQuantile(a, p), value))

  it('has quantiles that invert the distribution in the far tail too', () => {
    const shape = fc.double({ min: -2, max: 12, noNaN: true }).map((power) => 10 ** power)
    const chance = fc.double({ min: -300, max: -1, noNaN: true }).map((power) => 10 ** power)
    fc.assert(
      fc.property(shape, chance, (a, p) => {
        const x = gammaQuantile(a, p)
        // Below all doubles it is 0; and of large a the last digit of x is worth more than 1e-9 of p.
        if (x > 1e-300 && a < 1e9) near(gammaP(a, x), p, 1e-9 * Math.max(1, a * 1e-6))
      }),
      { seed: 4, numRuns: 500 },
    )
    expect(gammaQuantile(0.01, 1e-50)).toBe(0)
  })

  it('has quantiles that invert the distribution', () => {
    const shape = fc.double({ min: 0.05, max: 1e4, noNaN: true })
    const chance = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true })
    fc.assert(
      fc.property(shape, chance, (a, p) => {
        expect(gammaP(a, gammaQuantile(a, p))).toBeCloseTo(p, 8)
      }),
      { seed: 3 },
    )
  })

  it('has the usual chi-square quantile', () =>
    near(chiSquareQuantile(0.95, { freedom: 1 }), 3.841458820694124))
})

describe('lambertW', () => {
  it.each([
    [-0.36, -0.8060843159708174],
    [-0.2, -0.2591711018190737],
    [-0.01, -0.010101527198538754],
    [0.1, 0.09127652716086226],
    [1, 0.5671432904097838],
    [5, 1.3267246652422002],
    [100, 3.38563014029005],
    [1e10, 20.028685413304952],
  ])('principal branch at %s', (x, value) => near(lambertW(x), value))

  it.each([
    [-0.36, -1.2227701339785066],
    [-0.2, -2.5426413577735265],
    [-0.01, -6.472775124394005],
    [-1e-8, -21.488183944009798],
  ])('lower branch at %s', (x, value) => near(lambertW(x, { branch: 'lower' }), value))

  it('knows its edges', () => {
    expect(lambertW(0)).toBe(0)
    expect(lambertW(-1 / Math.E)).toBeCloseTo(-1, 7)
    expect(lambertW(-1)).toBeNaN()
    expect(lambertW(1, { branch: 'lower' })).toBeNaN()
  })
})

describe('normal law', () => {
  it.each([
    [1e-12, -7.034483825301131],
    [0.001, -3.090232306167813],
    [0.025, -1.9599639845400545],
    [0.3, -0.5244005127080409],
    [0.5, 0],
    [0.9, 1.2815515655446004],
    [0.9999, 3.719016485455709],
  ])('normalQuantile(%s)', (p, value) => expect(normalQuantile(p)).toBeCloseTo(value, 10))

  it.each([
    [-3, 1.9999779095030015],
    [-0.5, 1.5204998778130465],
    [0, 1],
    [0.3, 0.6713732405408726],
    [1, 0.15729920705028516],
    [1.9, 0.007209570764742531],
    [2.1, 0.0029794666563329845],
    [4, 1.541725790028002e-8],
    [10, 2.0884875837625446e-45],
    [25, 8.300172571196523e-274],
  ])('erfc(%s)', (x, value) => near(erfc(x), value, 1e-11))

  it('has tails that add up to one', () =>
    expect(normalTail(0.7) + normalTail(-0.7)).toBeCloseTo(1, 14))
})
