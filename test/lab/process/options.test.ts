import { describe, expect, it } from 'vitest'
import { changePoint } from '../../../src/lab/process/change-point.js'
import {
  constantGaps,
  gammaGaps,
  hyperexponentialGaps,
  latticeGaps,
  paretoGaps,
  uniformGaps,
  weibullGaps,
} from '../../../src/lab/process/gap-laws.js'
import {
  hourOfWeek,
  powerLawTrend,
  workingWeek,
} from '../../../src/lab/process/inhomogeneous-poisson.js'
import { poisson } from '../../../src/lab/process/poisson.js'
import type { OptionError } from '../../../src/model/errors.js'
import { DAY } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'

const refusal = (make: () => unknown): OptionError => {
  try {
    make()
  } catch (error) {
    return error as OptionError
  }
  throw new Error('nothing was refused')
}

describe('impossible parameters', () => {
  const day = poisson({ period: DAY })
  const weights = new Float64Array(168).fill(1)
  it.each([
    [/poisson: period is -5,.*above 0/, () => poisson({ period: -5 })],
    [/poisson: period is NaN/, () => poisson({ period: Number.NaN })],
    [/poisson: period is Infinity/, () => poisson({ period: Infinity })],
    [/poisson: period is 1e-7,.*microsecond/, () => poisson({ period: 1e-7 })],
    [/constant: period is 0/, () => constantGaps({ period: 0 })],
    [/uniform: shortest is 2,.*longest \(2\)/, () => uniformGaps({ shortest: 2, longest: 2 })],
    [/uniform: shortest is -1/, () => uniformGaps({ shortest: -1, longest: 2 })],
    [/pareto: shape is 1,.*mean gap is infinite/, () => paretoGaps({ period: 1, shape: 1 })],
    [/pareto: scale.*is 0.0000/, () => paretoGaps({ period: 1, shape: 1.00001 })],
    [/weibull: shape is 0,.*0.05/, () => weibullGaps({ period: 1, shape: 0 })],
    [/gamma: shape is -1/, () => gammaGaps({ period: 1, shape: -1 })],
    [/hyperexponential: phases is empty/, () => hyperexponentialGaps({ phases: [] })],
    [
      /hyperexponential: phases\[1\].period is 0/,
      () =>
        hyperexponentialGaps({
          phases: [
            { share: 1, period: 1 },
            { share: 1, period: 0 },
          ],
        }),
    ],
    [
      /hyperexponential: shares\[0\] is -1/,
      () => hyperexponentialGaps({ phases: [{ share: -1, period: 1 }] }),
    ],
    [/lattice: the sum of masses is 0/, () => latticeGaps({ step: 1, masses: [] })],
    [/lattice: step is 0/, () => latticeGaps({ step: 0, masses: [1] })],
    [/power-law-trend: shape is 0/, () => powerLawTrend({ scale: 1, shape: 0 })],
    [
      /hour-of-week: there are 24 weights/,
      () => hourOfWeek({ period: 1, weights: [...Array(24)] }),
    ],
    [
      /hour-of-week: weights\[3\] is -1/,
      () => hourOfWeek({ period: 1, weights: weights.map((each, i) => (i === 3 ? -1 : each)) }),
    ],
    [/hour-of-week: opens is 18/, () => workingWeek({ opens: 18, closes: 9 })],
    [/change-point: at is -1/, () => changePoint({ before: day, after: day, at: -1 })],
  ])('%s', (message, make) => {
    const error = refusal(make)
    expect(error.name).toBe('OptionError')
    expect(error.code).toBe('bad-parameter')
    expect(error.message).toMatch(message)
  })
})

describe('extreme parameters that can be', () => {
  it.each([
    paretoGaps({ period: DAY, shape: 1.001 }),
    weibullGaps({ period: DAY, shape: 0.05 }),
    weibullGaps({ period: DAY, shape: 1000 }),
    gammaGaps({ period: DAY, shape: 0.01 }),
    gammaGaps({ period: DAY, shape: 1e6 }),
    powerLawTrend({ scale: DAY, shape: 0.01 }),
    powerLawTrend({ scale: DAY, shape: 10 }),
    poisson({ period: 0.001 }),
    poisson({ period: 1e15 }),
  ])('$name ($summary) gives finite numbers', (process) => {
    const random = new Random(71)
    for (let page = 0; page < 200; page++) {
      const timeline = process.timeline({ from: 1.7e9, random })
      for (const days of [0, 0.1, 2]) {
        timeline.advance(1.7e9 + days * DAY)
        expect(Number.isFinite(timeline.lastChange)).toBe(true)
        expect(timeline.lastChange).toBeLessThanOrEqual(1.7e9 + days * DAY)
        expect(Number.isSafeInteger(timeline.changes)).toBe(true)
      }
    }
  })
})

describe('lattice gaps', () => {
  it('are whole steps, with the masses given', () => {
    const random = new Random(72)
    const timeline = latticeGaps({ step: 1, masses: [0, 3, 0, 1] }).timeline({ from: 0, random })
    const gaps: number[] = []
    let before = Number.NaN
    for (let at = 0.25; gaps.length < 4000; at += 0.25) {
      if (!timeline.advance(at)) continue
      if (!Number.isNaN(before)) gaps.push(timeline.firstChange - before)
      before = timeline.lastChange
    }
    expect(new Set(gaps.map((gap) => Math.round(gap * 1e6) / 1e6))).toEqual(new Set([2, 4]))
    // Binomial, 4 standard errors of 4,000.
    const twos = gaps.filter((gap) => gap < 3).length / 4000
    expect(Math.abs(twos - 0.75)).toBeLessThan(4 * Math.sqrt((0.75 * 0.25) / 4000))
  })
})

describe('a change point', () => {
  it('is no change itself, and counts from its origin if told one', () => {
    const process = changePoint({
      before: constantGaps({ period: 100 }),
      after: constantGaps({ period: 1 }),
      at: 50,
      origin: 1000,
    })
    const later = process.timeline({ from: 1060, random: new Random(73) })
    later.advance(1070)
    expect(later.changes).toBe(10)
    const timeline = process.timeline({ from: 1000, random: new Random(74) })
    timeline.advance(1049)
    const before = timeline.lastChange
    const changes = timeline.changes
    timeline.advance(1050)
    expect(timeline.changes + changes).toBeLessThanOrEqual(1)
    if (timeline.changes === 0) expect(timeline.lastChange).toBe(before)
    timeline.advance(1052.5)
    expect([2, 3]).toContain(timeline.changes)
    expect(timeline.firstChange).toBeGreaterThan(1050)
  })
})
