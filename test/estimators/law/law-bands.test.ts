import { describe, expect, it } from 'vitest'
import { lawBands } from '../../../src/estimators/law/bands.js'
import { concaveLaw } from '../../../src/estimators/law/concave-law.js'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import { m3 } from '../../../src/estimators/law/m3-m5.js'
import { updateGapCdf } from '../../../src/estimators/law/update-law.js'
import { Random } from '../../../src/numeric/random.js'
import { dailyHistory, exponential, pareto, paretoF, renewalHistory } from './renewal.js'

const at = [0.5, 1, 2]

describe('lawBands', () => {
  it.each([
    ['exponential', exponential, (x: number) => 1 - Math.exp(-x)],
    ['Pareto', pareto, paretoF],
  ] as const)('hold the truth about as often as they say: %s updates', (_, update, truth) => {
    let held = 0
    const trials = 40
    for (let seed = 0; seed < trials; seed++) {
      const random = new Random(seed)
      const history = renewalHistory({ random, update, gap: exponential, visits: 400 })
      const band = lawBands(history, m2, { random, at, copies: 40, level: 0.9 })
      if (band.kind === 'none') throw new Error(band.why)
      at.forEach((x, i) => {
        if (band.low[i]! <= truth(x) && truth(x) <= band.high[i]!) held++
      })
    }
    // 120 looks in groups of three, sd about .035; measured here: .90 and .95.
    expect(held / (3 * trials)).toBeGreaterThan(0.8)
  })

  it('surround the law, and are the same for the same seed', () => {
    const history = renewalHistory({
      random: new Random(5),
      update: pareto,
      gap: exponential,
      visits: 800,
    })
    const once = lawBands(history, m2, { random: new Random(6), at, copies: 30 })
    expect(lawBands(history, m2, { random: new Random(6), at, copies: 30 })).toEqual(once)
    const law = concaveLaw(m2.estimate(history))
    if (once.kind === 'none' || law.kind === 'none') throw new Error('none')
    at.forEach((x, i) => {
      expect(once.low[i]!).toBeLessThan(updateGapCdf(law, x) + 0.02)
      expect(once.high[i]!).toBeGreaterThan(updateGapCdf(law, x) - 0.02)
      expect(once.low[i]!).toBeLessThan(once.high[i]!)
    })
  })

  it('are refused where there is no law to bound', () => {
    const random = new Random(1)
    const history = dailyHistory(Array.from({ length: 60 }, (_, i) => i % 3 === 0))
    // M3 is no age distribution, so no law is drawn from it.
    expect(lawBands(history, m3, { random })).toEqual({ kind: 'none', why: 'no-curve' })
    const few = renewalHistory({ random, update: pareto, gap: () => 0.1, visits: 12 })
    expect(lawBands(few, m2, { random }).kind).toBe('none')
    expect(() => lawBands(history, m2, { random, level: 2 })).toThrow(
      expect.objectContaining({ code: 'bad-level' }),
    )
  })
})
