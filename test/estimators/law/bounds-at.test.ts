import { describe, expect, it } from 'vitest'
import { type Bands, bands, boundsAt } from '../../../src/estimators/law/bands.js'
import { cdfAt } from '../../../src/estimators/law/distribution.js'
import { m2 } from '../../../src/estimators/law/m1-m2.js'
import { m6 } from '../../../src/estimators/law/m6.js'
import { resampled } from '../../../src/estimators/law/resampled.js'
import { Random } from '../../../src/numeric/random.js'
import { constant, exponential, renewalHistory } from './renewal.js'

const reported: Extract<Bands, { kind: 'bands' }> = {
  kind: 'bands',
  x: Float64Array.of(2, 4),
  low: Float64Array.of(0.3, 0.6),
  high: Float64Array.of(0.7, 0.9),
  level: 0.95,
  copies: 1,
}

describe('boundsAt', () => {
  it('takes the lower bound from before and the upper one from after', () => {
    // By hand: a distribution never falls, is at least 0 and at most 1.
    expect(boundsAt(reported, 1)).toEqual({ low: 0, high: 0.7 })
    expect(boundsAt(reported, 2)).toEqual({ low: 0.3, high: 0.7 })
    expect(boundsAt(reported, 3)).toEqual({ low: 0.3, high: 0.9 })
    expect(boundsAt(reported, 4)).toEqual({ low: 0.6, high: 0.9 })
    expect(boundsAt(reported, 5)).toEqual({ low: 0.6, high: 1 })
  })

  it.each([
    ['M6 at equal gaps', m6, constant],
    ['M6 at spread gaps', m6, exponential],
    ['M2', m2, exponential],
  ] as const)('holds the curve everywhere: %s', (_, method, gap) => {
    for (let seed = 0; seed < 10; seed++) {
      const random = new Random(seed)
      const history = renewalHistory({ random, update: exponential, gap, visits: 60 })
      const estimate = method.estimate(history)
      const band = bands(resampled(history, method, { random, copies: 20 }))
      if (band.kind === 'none' || estimate.kind === 'none') throw new Error('none')
      for (let x = 0; x < 5; x += 0.01) {
        const { low, high } = boundsAt(band, x)
        const here = cdfAt(estimate.curve, x)
        expect(low).toBeLessThanOrEqual(here + 1e-12)
        expect(high).toBeGreaterThanOrEqual(here - 1e-12)
      }
    }
  })
})
