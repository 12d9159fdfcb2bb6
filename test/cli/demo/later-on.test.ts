import { describe, expect, it } from 'vitest'
import { laterOn } from '../../../src/lab/demo/compare-ways.js'

describe('laterOn', () => {
  const early = { fresh: 5, time: 10, predictions: [0.9, 0.8] }
  const all = { fresh: 29, time: 40, predictions: [0.9, 0.8, 0.7, 0.9] }

  // By hand: 24 of 30 after the first quarter, and the mean of what was predicted in it.
  it('tells what came and what was predicted of the same time', () => {
    const late = laterOn(all, early)
    expect(late.freshness).toBeCloseTo(0.8, 12)
    expect(late.predicted).toBeCloseTo(0.8, 12)
    const whole = laterOn(all, null)
    expect(whole.freshness).toBeCloseTo(29 / 40, 12)
    expect(whole.predicted).toBeCloseTo(0.825, 12)
  })

  it('is of all the time where a run was too short to have a later part', () => {
    expect(laterOn(early, early).freshness).toBe(0.5)
    expect(laterOn({ ...early, predictions: [] }, null).predicted).toBeNull()
  })
})
