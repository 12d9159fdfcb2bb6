import { describe, expect, it } from 'vitest'
import { fitLine, mean, median, quantile, sum, variance } from '../../src/numeric/summary.js'

describe('summaries', () => {
  it('adds without losing the small ones', () => expect(sum([1e16, 1, -1e16])).toBe(1))
  it('agree with hand counts', () => {
    expect(mean([1, 2, 6])).toBe(3)
    expect(variance([1, 2, 6])).toBe(7)
    expect(median([9, 1, 4])).toBe(4)
    // numpy.quantile([1, 2, 3, 10], 0.9) = 7.9
    expect(quantile([1, 2, 3, 10], 0.9)).toBeCloseTo(7.9, 12)
  })
  it('say NaN for nothing, which callers must not pass', () => {
    expect(mean([])).toBeNaN()
    expect(median([])).toBeNaN()
  })
  it('fit a line exactly through points of a line', () => {
    const { slope, intercept } = fitLine([1, 2, 4], [5, 7, 11])
    expect(slope).toBeCloseTo(2, 12)
    expect(intercept).toBeCloseTo(3, 12)
    expect(fitLine([2, 2], [1, 3])).toEqual({ slope: 0, intercept: 2 })
  })
})
