import { describe, expect, inject, it } from 'vitest'
import { scenario1 } from '../../papers/malcolm-armitage/scenario-1.js'
import { samplingPeriod, scenario } from '../../papers/malcolm-armitage/scenarios.js'
import { exactPoints, pointOf, scenarioStudy } from '../../papers/malcolm-armitage/study.js'
import { estimatePage } from '../../papers/malcolm-armitage/visit-page.js'
import { poisson } from '../../src/lab/process/poisson.js'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { absent } from '../fixtures/shared-folder.js'

/** As in the quick run. */
const pages = 6000
const oraclePages = 40_000
/** Bias ratio, standard deviation, visits: shared oracles, 40,000 pages. */
const oracle = {
  S1: [
    [1.008, 0.092],
    [1.009, 0.093],
    [1.013, 0.119],
    [1.031, 0.186],
    [1.107, 0.422],
    [1.26, 0.61],
  ],
  S3: [
    [1, 0.0995, 101],
    [1, 0.099, 101],
    [1.001, 0.133, 121],
    [0.993, 0.214, 119.7],
    [0.942, 0.338, 75.7],
    [0.949, 0.762, 18.9],
  ],
  S6: [
    [0.9916, 0.1179, 116.6],
    [0.997, 0.104, 165.9],
    [1.01, 0.125, 133.2],
    [1.001, 0.192, 71.4],
    [1.014, 0.368, 52.4],
    [0.829, 0.438, 27.3],
  ],
} as const
const periods = [5 * MINUTE, HOUR, DAY, 3 * DAY, 10 * DAY, 62 * DAY]

describe('the six scenarios of Malcolm & Armitage', () => {
  const points = scenarioStudy({ pages, seed: 1, periods })

  describe.each(['S1', 'S3', 'S6'] as const)('%s, simulated', (name) => {
    it.each(periods.map((period, i) => [period / DAY, i]))('at %f days', (_, i) => {
      const found = pointOf(points, { scenario: name, changePeriod: periods[i!]! })
      const [bias, sd, visits = 121] = oracle[name][i!]!
      // Shared oracles: bias within 4 sd sqrt(1/n + 1/40000), sd within 8%, visits within 1%.
      const margin = 4 * sd * Math.sqrt(1 / found.pages + 1 / oraclePages)
      expect(Math.abs(found.bias - bias)).toBeLessThan(margin)
      expect(Math.abs(found.sd / sd - 1)).toBeLessThan(0.08)
      expect(Math.abs(found.visits / visits - 1)).toBeLessThan(0.01)
    })
  })

  const oracles = inject('oracles')
  const exact = oracles?.[
    'malcolm_armitage_exact(24h,120d,stationary,natural log,zero->samplingPeriod)'
  ] as Record<string, { S2_sd: number; S4: [number, number]; S5: [number, number] }> | undefined
  it.skipIf(exact === undefined)(`S2, S4 and S5, exact (${absent})`, () => {
    for (const [name, want] of Object.entries(exact!)) {
      const [S2, S4, S5] = exactPoints(periodNamed(name))
      expect(S2!.sd).toBeCloseTo(want.S2_sd, 10)
      expect([S4!.bias, S4!.sd]).toEqual(want.S4.map((value) => expect.closeTo(value, 9)))
      expect([S5!.bias, S5!.sd]).toEqual(want.S5.map((value) => expect.closeTo(value, 9)))
    }
  })

  it('estimates scenario 1 page by page as the estimator does on whole histories', () => {
    for (const days of [0.05, 1, 10, 62, 400]) {
      const process = poisson({ period: days * DAY })
      const timeline = () => process.timeline({ from: 0, random: new Random(days) })
      const whole = estimatePage(scenario('S1'), {
        timeline: timeline(),
        from: 0,
        until: samplingPeriod,
        random: new Random(1),
      })
      const fast = scenario1({ timeline: timeline() })
      expect(fast.changePeriod).toBeCloseTo(whole.changePeriod, 4)
      expect(fast.visits).toBe(whole.visits)
    }
  })
})

/** m5, h1, d1, d3, d10, d62 of the vectors. */
function periodNamed(name: string): number {
  const units = { m: MINUTE, h: HOUR, d: DAY }
  return Number(name.slice(1)) * units[name[0] as keyof typeof units]
}
