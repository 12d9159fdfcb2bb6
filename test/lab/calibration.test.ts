import { describe, expect, it } from 'vitest'
import { boundsCoverage, predictedFreshness } from '../../src/lab/study/calibration.js'
import { DAY, HOUR } from '../../src/model/units.js'

// 200 pages: the share of bounds that hold has a standard error of 2 points; the bench takes 600.
describe("the default's bounds", () => {
  it.each(['poisson', 'hyperexponential'] as const)(
    'hold about nine times in ten for %s pages',
    (kind) => {
      const shares = boundsCoverage({ kind, pages: 200, seed: 11, observations: [10, 30] })
      for (const share of shares) {
        expect(share).toBeGreaterThan(0.82)
        expect(share).toBeLessThan(0.97)
      }
    },
  )
})

describe("the default's prediction", () => {
  it('predicts the freshness of its own visits within a point and a half', () => {
    const { predicted, realised } = predictedFreshness({
      kind: 'hyperexponential',
      pages: 150,
      seed: 12,
      price: 6 * HOUR,
      length: 120 * DAY,
    })
    expect(realised).toBeGreaterThan(0.6)
    expect(Math.abs(predicted - realised)).toBeLessThan(0.015)
  })
})
