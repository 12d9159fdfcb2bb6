import { describe, expect, inject, it } from 'vitest'
import { cdfAt, type DistributionEstimate } from '../../../src/estimators/law/distribution.js'
import { m1, m2 } from '../../../src/estimators/law/m1-m2.js'
import { gM4, m3, m4, m5, m5Runs } from '../../../src/estimators/law/m3-m5.js'
import { m6, m6Bins } from '../../../src/estimators/law/m6.js'
import { distributionMethods } from '../../../src/estimators/law/methods.js'
import type { History } from '../../../src/model/history.js'
import { Random } from '../../../src/numeric/random.js'
import {
  constant,
  dailyHistory,
  exponential,
  pareto,
  paretoBin,
  paretoG,
  renewalHistory,
} from './renewal.js'

const oracles = inject('oracles')
const curveOf = (estimate: DistributionEstimate) => {
  if (estimate.kind === 'none') throw new Error(estimate.verdict)
  return estimate.curve
}
const tail = (estimate: DistributionEstimate, x: number) => 1 - cdfAt(curveOf(estimate), x)

describe('the hand example at equal gaps', () => {
  // By hand, and key li_hand_M3M4M5 of the shared oracles: runs of 3, 1 and 4 gaps, an open one of 2.
  const history = dailyHistory([0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0])
  const cdf = (estimate: DistributionEstimate) => [...curveOf(estimate).cdf]

  it('gives M3, M4 and M5 by hand', () => {
    expect(cdf(m3.estimate(history))).toEqual([1 / 3, 1 / 3, 2 / 3, 1])
    expect(cdf(m4.estimate(history))).toEqual([0.4, 0.7, 0.9, 1])
    expect(cdf(m5.estimate(history))).toEqual([3 / 11, 5 / 11, 7 / 11, 8 / 11])
    expect(cdf(m5Runs.estimate(history))).toEqual([3 / 8, 5 / 8, 7 / 8, 1])
    expect([...curveOf(m4.estimate(history)).x]).toEqual([1, 2, 3, 4])
  })

  it.skipIf(oracles === null)('equals the shared oracles (skipped where absent)', () => {
    const hand = oracles.li_hand_M3M4M5
    const again = dailyHistory(hand.Q)
    expect(cdf(m4.estimate(again))).toEqual(hand.M4_G)
    expect(cdf(m5.estimate(again))).toEqual(hand.M5_G_over_T)
    expect(cdf(m5Runs.estimate(again))).toEqual(hand.M5norm)
    const m3Curve = curveOf(m3.estimate(again))
    expect([...m3Curve.weight]).toEqual(
      [1, 2, 3, 4].map((n) => hand.M3.filter((run: number) => run === n).length),
    )
  })
})

describe('the hand example of M6', () => {
  // Key li_hand_M6 of the shared oracles, checked by hand: 7 visits, h = 0.25.
  const times = [0, 0.12, 0.31, 0.55, 0.58, 1.02, 1.3]
  const runs = [0, 0, 1, 1, 1, 3, 3]
  const history: History = {
    start: { at: 0 },
    observations: times.slice(1).map((at, i) => ({
      at,
      gap: at - times[i]!,
      changed: runs[i] !== runs[i + 1],
    })),
  }

  it('is counted bit-exact', () => {
    const bins = m6Bins(history, { binWidth: 0.25, upTo: 1.5 })
    expect([...bins.pairs]).toEqual([4, 7, 5, 2, 2, 1])
    expect([...bins.withChange]).toEqual([1, 5, 5, 2, 2, 1])
  })

  it.skipIf(oracles === null)('equals the shared oracles (skipped where absent)', () => {
    const { s, runid, h, W, Z } = oracles.li_hand_M6
    expect([s, runid]).toEqual([times, runs])
    const bins = m6Bins(history, { binWidth: h, upTo: 6 * h })
    expect([...bins.pairs]).toEqual(Object.values(W))
    expect([...bins.withChange]).toEqual(Object.values(Z))
  })
})

describe('what each method tends to on Pareto updates', () => {
  const visits = 200_000
  const spread = renewalHistory({
    random: new Random(11),
    update: pareto,
    gap: exponential,
    visits,
  })
  const even = renewalHistory({ random: new Random(12), update: pareto, gap: constant, visits })

  it('keeps the share p of visits in M1', () => {
    // Shared oracles: p at lambda 1 is .75 (constant), .596347 (exponential), .666667 (uniform on [0, 2]).
    const uniform = renewalHistory({
      random: new Random(13),
      update: pareto,
      gap: (random) => 2 * random.positive(),
      visits,
    })
    const share = (history: History) => m1.estimate(history).samples / visits
    expect(Math.abs(share(even) - 0.75)).toBeLessThan(0.005)
    expect(Math.abs(share(spread) - 0.596347)).toBeLessThan(0.005)
    expect(Math.abs(share(uniform) - 0.666667)).toBeLessThan(0.005)
  })

  it.skipIf(oracles === null)(
    'keeps that share at other visit rates (skipped where absent)',
    () => {
      const { p_const, p_exp, p_unif } = oracles.li
      const spacings = [
        [p_const, constant],
        [p_exp, exponential],
        [p_unif, (random: Random) => 2 * random.positive()],
      ] as const
      for (const [expected, spacing] of spacings)
        for (const lambda of ['0.1', '10']) {
          const gap = (random: Random) => spacing(random) / Number(lambda)
          const random = new Random(14)
          const history = renewalHistory({ random, update: pareto, gap, visits: 20_000 })
          const share = m1.estimate(history).samples / 20_000
          // Sampling error of a share of 20,000 is at most .0035.
          expect(Math.abs(share - expected[lambda])).toBeLessThan(0.012)
        }
    },
  )

  it('M1: between update gaps and content ages', () => {
    // Shared oracles, exponential S; sampling error about .0015.
    const estimate = m1.estimate(spread)
    expect(Math.abs(tail(estimate, 0.5) - 0.379032)).toBeLessThan(0.006)
    expect(Math.abs(tail(estimate, 1) - 0.186684)).toBeLessThan(0.006)
    expect(Math.abs(tail(estimate, 2) - 0.066843)).toBeLessThan(0.006)
    expect(estimate.target.law).toBe('neither')
  })

  it('M2: the age distribution, at any gaps', () => {
    for (const history of [spread, even])
      for (const x of [0.1, 0.5, 1, 2, 5])
        expect(Math.abs(cdfAt(curveOf(m2.estimate(history)), x) - paretoG(x))).toBeLessThan(0.008)
    expect(m2.estimate(spread).target.law).toBe('age distribution')
  })

  it('M3: between update gaps and content ages', () => {
    // Shared oracles: 1, .185185, .064815, .03 at n = 0..3.
    const estimate = m3.estimate(even)
    expect(tail(estimate, 0)).toBe(1)
    expect(Math.abs(tail(estimate, 1) - 0.185185)).toBeLessThan(0.005)
    expect(Math.abs(tail(estimate, 2) - 0.064815)).toBeLessThan(0.005)
    expect(Math.abs(tail(estimate, 3) - 0.03)).toBeLessThan(0.005)
    // Shared oracles: E[D3] = 4/3, the sum of the tail.
    const meanRun = 1 + curveOf(estimate).cdf.reduce((total, value) => total + 1 - value, 0)
    expect(Math.abs(meanRun - 4 / 3)).toBeLessThan(0.02)
    expect(estimate.target.law).toBe('neither')
  })

  it('M4 and both M5: the age distribution at whole gaps', () => {
    for (const method of [m4, m5, m5Runs]) {
      const estimate = method.estimate(even)
      for (const n of [1, 2, 3, 5])
        expect(Math.abs(cdfAt(curveOf(estimate), n) - paretoG(n))).toBeLessThan(0.006)
      expect(estimate.target).toMatchObject({ law: 'Delta-consistent age distribution', delta: 1 })
    }
  })

  it('G-M4: far too heavy at varied gaps, M4 at equal ones', () => {
    // Shared oracles: .8602, .6498, .3376 at .5, 1, 2, where the truth is .444, .25, .111.
    const estimate = gM4.estimate(spread)
    expect(Math.abs(tail(estimate, 0.5) - 0.8602)).toBeLessThan(0.006)
    expect(Math.abs(tail(estimate, 1) - 0.6498)).toBeLessThan(0.006)
    expect(Math.abs(tail(estimate, 2) - 0.3376)).toBeLessThan(0.008)
    expect(estimate.target.law).toBe('neither')
    expect(gM4.estimate(even).target.law).toBe('Delta-consistent age distribution')
    expect([...curveOf(gM4.estimate(even)).cdf]).toEqual([...curveOf(m4.estimate(even)).cdf])
  })

  it('M6: the mean of the age distribution over each bin', () => {
    // Shared oracles, M6_bin_expect at h = .05; about 10,000 pairs a bin.
    const { pairs, withChange } = m6Bins(spread, { binWidth: 0.05, upTo: 20 })
    for (const [y, expected] of [
      [0.05, 0.047619],
      [0.1, 0.134199],
      [0.5, 0.54023],
      [1, 0.74359],
      [2, 0.887006],
      [5, 0.971989],
    ] as const) {
      const bin = Math.round(y / 0.05) - 1
      expect(paretoBin({ y, h: 0.05 })).toBeCloseTo(expected, 6)
      expect(Math.abs(withChange[bin]! / pairs[bin]! - expected)).toBeLessThan(0.015)
    }
    const estimate = m6.estimate(spread, { binWidth: 0.05, upTo: 20 })
    expect(estimate.target.law).toBe('age distribution')
    // Spread gaps put a bin's pairs at its centre.
    expect(Math.abs(curveOf(estimate).x[9]! - 0.475)).toBeLessThan(0.001)
  })
})

describe('degenerate histories', () => {
  const empty: History = { start: { at: 0, contentAge: 3 }, observations: [] }
  const quiet = dailyHistory([0, 0, 0])
  const verdicts = (history: History) =>
    Object.fromEntries(
      distributionMethods.map((method) => {
        const { kind, verdict } = method.estimate(history)
        return [method.name, `${kind}: ${verdict}`]
      }),
    )

  it('have a verdict for one visit', () => {
    for (const verdict of Object.values(verdicts(empty)))
      expect(verdict).toBe('none: no-observation')
  })

  it('have a verdict for no change', () => {
    expect(verdicts(quiet)).toEqual({
      m1: 'none: no-change-seen',
      m2: 'none: no-content-age',
      m3: 'none: no-change-seen',
      m4: 'none: no-change-seen',
      m5: 'none: no-change-seen',
      'm5-runs': 'none: no-change-seen',
      'g-m4': 'none: no-change-seen',
      m6: 'curve: no-change-seen',
    })
    const aged = { ...quiet, start: { at: 0, contentAge: 5 } }
    expect(m2.estimate(aged)).toMatchObject({ kind: 'curve', verdict: 'no-change-seen' })
  })

  it('have a verdict for one change, for all changes and for unequal gaps', () => {
    expect(verdicts(dailyHistory([0, 1, 0]))).toMatchObject({
      m1: 'none: no-content-age',
      m3: 'none: no-complete-run',
      m4: 'curve: ok',
      m5: 'none: no-complete-run',
      'm5-runs': 'none: no-complete-run',
    })
    expect(verdicts(dailyHistory([1, 1, 1]))).toMatchObject({
      m3: 'curve: always-changed',
      m4: 'curve: always-changed',
      m6: 'curve: always-changed',
    })
    const unequal: History = {
      start: { at: 0 },
      observations: [
        { at: 1, gap: 1, changed: true },
        { at: 3, gap: 2, changed: false },
        { at: 4, gap: 1, changed: true },
      ],
    }
    for (const method of [m3, m4, m5, m5Runs])
      expect(method.estimate(unequal)).toMatchObject({
        verdict: 'unequal-gaps',
        target: { law: 'neither' },
      })
  })

  it('refuse bins that cannot be', () => {
    expect(() => m6.estimate(quiet, { binWidth: 0 })).toThrow(/above 0/)
    expect(() => m6.estimate(quiet, { binWidth: 1e-9, upTo: 1 })).toThrow(/wider bins/)
  })
})

describe('what is known of content ages', () => {
  it('carries a content age over unchanged visits that told none', () => {
    // By hand: ages 2, then 3 carried, then 0.5 told, then 1.5 carried.
    const history: History = {
      start: { at: 0, contentAge: 2 },
      observations: [
        { at: 1, gap: 1, changed: false },
        { at: 2, gap: 1, changed: true, contentAge: 0.5 },
        { at: 3, gap: 1, changed: false },
        { at: 4, gap: 1, changed: true },
      ],
    }
    expect([...curveOf(m2.estimate(history)).x]).toEqual([0.5, 1.5, 2, 3])
    expect([...curveOf(m1.estimate(history)).x]).toEqual([1.5, 3])
  })

  it('counts the first visit, whose content age has no gap', () => {
    const history: History = {
      start: { at: 0, contentAge: 7 },
      observations: [{ at: 1, gap: 1, changed: true, contentAge: 0.25 }],
    }
    expect([...curveOf(m1.estimate(history)).x]).toEqual([7])
    expect([...curveOf(m2.estimate(history)).x]).toEqual([0.25, 7])
  })
})

describe('a break in the comparisons', () => {
  // Visits at 0, 1, 2, then compared anew at 5 (no observation), 6, 7.
  const history: History = {
    start: { at: 0 },
    observations: [
      { at: 1, gap: 1, changed: true },
      { at: 2, gap: 1, changed: false },
      { at: 6, gap: 1, changed: true },
      { at: 7, gap: 1, changed: true },
    ],
  }
  it('parts the runs and the pairs', () => {
    // By hand: the run begun at 1 is open at 2; the only complete run is that of 6.
    expect(m3.estimate(history).samples).toBe(1)
    const bins = m6Bins(history, { binWidth: 1, upTo: 7 })
    expect([...bins.pairs]).toEqual([4, 2, 0, 0, 0, 0, 0])
    expect([...bins.withChange]).toEqual([3, 2, 0, 0, 0, 0, 0])
    expect([...curveOf(gM4.estimate(history)).x]).toEqual([1, 2])
  })
})
