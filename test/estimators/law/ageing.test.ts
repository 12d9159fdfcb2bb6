import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Ageing,
  type AgeingTest,
  ageingMeaning,
  ageingOfHistory,
} from '../../../src/estimators/law/ageing.js'
import { weibullGaps } from '../../../src/estimators/law/weibull-gaps.js'
import { Random } from '../../../src/numeric/random.js'
import { mean, variance } from '../../../src/numeric/summary.js'
import {
  constant,
  type Draw,
  dailyHistory,
  exponential,
  pareto,
  renewalHistory,
} from './renewal.js'

const regular: Draw = (random) => 0.5 + 0.5 * random.uniform()
const gapsOf = (update: Draw, { count, seed }: { count: number; seed: number }) => {
  const random = new Random(seed)
  return Array.from({ length: count }, () => update(random))
}
const classOf = (test: AgeingTest): Ageing | string =>
  test.kind === 'test' ? test.ageing : test.why

describe('ageingOfHistory', () => {
  const strip = (history: ReturnType<typeof renewalHistory>) => ({
    start: { at: 0 },
    observations: history.observations.map(({ at, gap, changed }) => ({ at, gap, changed })),
  })
  const weibull =
    (shape: number): Draw =>
    (random) =>
      random.exponential() ** (1 / shape)

  it('is standard normal for memoryless pages, at any gaps, with or without content ages', () => {
    const z: number[] = []
    for (let seed = 0; seed < 600; seed++) {
      const gap = seed % 2 === 0 ? constant : exponential
      const random = new Random(seed)
      const history = renewalHistory({ random, update: exponential, gap, visits: 600, warmUp: 10 })
      const test = ageingOfHistory(seed % 3 === 0 ? history : strip(history))
      if (test.kind === 'test') z.push(test.z)
    }
    expect(z.length).toBe(600)
    // Its sd over 600 pages is known to .03, and 5% rejected to .9%; the mean is a little above 0 in small samples.
    expect(Math.abs(mean(z))).toBeLessThan(0.2)
    expect(Math.abs(Math.sqrt(variance(z)) - 1)).toBeLessThan(0.1)
    const rejected = z.filter((value) => Math.abs(value) > 1.96).length / z.length
    expect(Math.abs(rejected - 0.05)).toBeLessThan(0.03)
  })

  it('tells bursts from beats by visits alone', () => {
    const classify = (update: Draw) =>
      classOf(
        ageingOfHistory(
          strip(
            renewalHistory({
              random: new Random(4),
              update,
              gap: (random) => 0.6 * random.positive(),
              visits: 4000,
            }),
          ),
        ),
      )
    expect(classify(pareto)).toBe('NWU')
    expect(classify(weibull(0.6))).toBe('NWU')
    expect(classify(regular)).toBe('NBU')
    expect(classify(exponential)).toBe('memoryless')
  })

  it('estimates the Weibull shape less 1 near 1, where gaps are short', () => {
    const history = renewalHistory({
      random: new Random(8),
      update: weibull(1.2),
      gap: () => 0.05,
      visits: 60_000,
    })
    const test = ageingOfHistory(history)
    if (test.kind === 'none') throw new Error(test.why)
    expect(Math.abs(test.statistic - 0.2)).toBeLessThan(0.06)
  })

  it('says when it cannot tell', () => {
    expect(ageingOfHistory(dailyHistory([0, 1, 0]))).toEqual({
      kind: 'none',
      why: 'too-few-changes',
    })
    expect(ageingOfHistory(dailyHistory(Array(30).fill(1)))).toEqual({
      kind: 'none',
      why: 'no-contrast',
    })
    expect(() =>
      ageingOfHistory(dailyHistory(Array.from({ length: 40 }, (_, i) => i % 3 === 0)), {
        level: 0,
      }),
    ).toThrow(/level/)
  })
})

describe('weibullGaps', () => {
  it('fits as SciPy does', () => {
    // scipy.stats.weibull_min.fit([1, 2, 4, 8, 3], floc=0): shape 1.58261, scale 4.03766
    // (its search stops at 1e-5; the root of the same equation by SciPy's brentq: 1.5825915656).
    const fit = weibullGaps([1, 2, 4, 8, 3])
    if (fit.kind === 'none') throw new Error(fit.why)
    expect(fit.shape).toBeCloseTo(1.5825915656, 9)
    expect(fit.scale).toBeCloseTo(4.0376580288, 9)
  })

  it('counts the open gap as censored', () => {
    // scipy.stats.weibull_min.fit(CensoredData([1, 2, 4, 8, 3], right=[20]), floc=0): .87861, 7.38355;
    // by brentq: .8786082933, 7.3835383842.
    const fit = weibullGaps([1, 2, 4, 8, 3], { open: 20 })
    if (fit.kind === 'none') throw new Error(fit.why)
    expect(fit.shape).toBeCloseTo(0.8786082933, 9)
    expect(fit.scale).toBeCloseTo(7.3835383842, 9)
  })

  it('finds the shape of simulated gaps within its error, and the class', () => {
    for (const [shape, expected] of [
      [0.5, 'NWU'],
      [1, 'memoryless'],
      [2, 'NBU'],
    ] as const) {
      const gaps = gapsOf((random) => random.exponential() ** (1 / shape), { count: 2000, seed: 5 })
      const fit = weibullGaps(gaps)
      if (fit.kind === 'none') throw new Error(fit.why)
      expect(Math.abs(fit.shape - shape)).toBeLessThan(4 * fit.error)
      // Cohen 1965: the shape's standard error is about .78 shape / sqrt(n).
      expect(fit.error / ((0.78 * shape) / Math.sqrt(2000))).toBeCloseTo(1, 1)
      expect(fit.ageing).toBe(expected)
      expect(ageingMeaning[fit.ageing].length).toBeGreaterThan(50)
    }
  })

  it('scales with time, and leaves out gaps of 0', () => {
    const gaps = fc.array(fc.double({ min: 0.01, max: 1000, noNaN: true }), {
      minLength: 3,
      maxLength: 30,
    })
    fc.assert(
      fc.property(gaps, fc.double({ min: 0, max: 1000, noNaN: true }), (sample, open) => {
        const one = weibullGaps([0, ...sample], { open })
        const other = weibullGaps(
          sample.map((gap) => gap * 86_400),
          { open: open * 86_400 },
        )
        expect(other.kind).toBe(one.kind)
        if (one.kind === 'none' || other.kind === 'none') return
        expect(other.shape / one.shape).toBeCloseTo(1, 6)
        expect(other.scale / one.scale / 86_400).toBeCloseTo(1, 6)
        expect(Number.isFinite(one.error)).toBe(true)
      }),
      { seed: 12 },
    )
    expect(weibullGaps([0, 3])).toEqual({ kind: 'none', why: 'too-few-gaps' })
    expect(weibullGaps([3, 3, 3])).toEqual({ kind: 'none', why: 'gaps-alike' })
  })
})
