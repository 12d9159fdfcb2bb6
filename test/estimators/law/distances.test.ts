import { describe, expect, it } from 'vitest'
import {
  type DistributionMethod,
  kolmogorovSmirnov,
  stepCurve,
  weightedRelativeDifference,
} from '../../../src/estimators/law/distribution.js'
import { m4, m5 } from '../../../src/estimators/law/m3-m5.js'
import { m6Bins } from '../../../src/estimators/law/m6.js'
import { Random } from '../../../src/numeric/random.js'
import { mean } from '../../../src/numeric/summary.js'
import { constant, exponential, pareto, paretoBin, paretoG, renewalHistory } from './renewal.js'

describe('distances between distributions', () => {
  it('agree with hand counts', () => {
    // By hand: steps of 1/2 at 0.2 and 0.8 against x on [0, 1]: 0.3 just above 0.2, and just below 0.8.
    const curve = stepCurve([0.8, 0.2])
    expect(kolmogorovSmirnov(curve, (x) => x)).toBeCloseTo(0.3, 12)
    // By hand at 0.2 and 0.8: (0.3 + 0.2) / ((0.5 + 0.2 + 1 + 0.8) / 2).
    expect(weightedRelativeDifference(curve, (x) => x)).toBeCloseTo(0.5 / 1.25, 12)
    expect(kolmogorovSmirnov(curve, (x) => x, { at: [0.5] })).toBe(0)
    expect(weightedRelativeDifference(curve, () => 0, { at: [0.1] })).toBe(0)
  })
})

/**
 * Shared oracles, Table I of the paper recomputed: mean KS and WMRD, allow 15%.
 * At T = 10^4 the oracles give two runs; the longer (2,000 paths) is taken, and
 * M5 by its ratio to M4 in the table: WMRD has a heavy tail, and 2,000 paths by
 * NumPy gave .00117 and .00114 where the table's own, shorter run has .00135 and .00130.
 */
const tableOne = [
  { length: 1_000, paths: 500, ks4: 0.0223, ks5: 0.0225, wmrd4: 0.00258, wmrd5: 0.00392 },
  {
    length: 10_000,
    paths: 400,
    ks4: 0.00747,
    ks5: 0.00747 * (0.00699 / 0.00702),
    wmrd4: 0.00124,
    wmrd5: 0.00124 * (0.0013 / 0.00135),
  },
]

describe('Table I', () => {
  it.each(tableOne)('holds within 15% at T = $length', (row) => {
    const at = Array.from({ length: 100 }, (_, n) => n + 1)
    const found: Record<string, number[]> = { ks4: [], ks5: [], wmrd4: [], wmrd5: [] }
    const random = new Random(row.paths)
    for (let path = 0; path < row.paths; path++) {
      const visits = row.length + 1
      const history = renewalHistory({ random, update: pareto, gap: constant, visits, warmUp: 20 })
      const measure = (method: DistributionMethod, name: string) => {
        const estimate = method.estimate(history)
        if (estimate.kind === 'none') throw new Error(estimate.verdict)
        found[`ks${name}`]!.push(kolmogorovSmirnov(estimate.curve, paretoG, { at }))
        found[`wmrd${name}`]!.push(weightedRelativeDifference(estimate.curve, paretoG, { at }))
      }
      measure(m4, '4')
      measure(m5, '5')
    }
    for (const [name, values] of Object.entries(found)) {
      const expected = row[name as keyof typeof row]
      expect(Math.abs(mean(values) / expected - 1), name).toBeLessThan(0.15)
    }
  })
})

describe('M6 against bin means', () => {
  it('has the KS distance of the shared oracles at T = 10^4', () => {
    // Shared oracles: .050 with exponential S, h = .05. Up to 20: 400 bins of about 500 pairs.
    const worst: number[] = []
    for (let seed = 1; seed <= 10; seed++) {
      const random = new Random(seed)
      const history = renewalHistory({ random, update: pareto, gap: exponential, visits: 10_000 })
      const { pairs, withChange } = m6Bins(history, { binWidth: 0.05, upTo: 20 })
      const apart = Array.from(pairs, (count, bin) =>
        Math.abs(withChange[bin]! / count - paretoBin({ y: (bin + 1) * 0.05, h: 0.05 })),
      )
      worst.push(Math.max(...apart))
    }
    expect(Math.abs(mean(worst) / 0.05 - 1)).toBeLessThan(0.15)
  })
})
