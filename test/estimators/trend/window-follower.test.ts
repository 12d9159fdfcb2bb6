import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareEstimators,
  EstimatorTally,
} from '../../../src/estimators/trend/compare-estimators.js'
import {
  type ConsistentWindow,
  consistentWindows,
} from '../../../src/estimators/trend/consistent-windows.js'
import { intuitiveTrend } from '../../../src/estimators/trend/intuitive.js'
import { WindowFollower } from '../../../src/estimators/trend/replay-prediction.js'
import { weibullTrend } from '../../../src/estimators/trend/weibull.js'
import { type WindowOptions, windowRule } from '../../../src/estimators/trend/window-rule.js'
import { followWindow } from '../../fixtures/follow-window.js'
import { seriesAt, timesOf } from './series.js'

const gaps = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 })
const options = fc.record<WindowOptions>({
  threshold: fc.oneof(
    fc.record({ seconds: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ meanGaps: fc.constantFrom(0.5, 1, 3) }),
  ),
  discrepancy: fc.constantFrom('per-point', 'summed'),
  judgedBy: fc.constantFrom('gaps', 'running-means'),
  comparedWith: fc.constantFrom('previous', 'window-mean'),
})

describe('WindowFollower', () => {
  it('goes point by point where followWindow goes with values', () => {
    fc.assert(
      fc.property(gaps, options, (list, rules) => {
        const { origin, points } = seriesAt(timesOf(list))
        const follower = new WindowFollower({ origin, rule: windowRule(rules) })
        let window: ConsistentWindow = {
          state: 'constant',
          origin,
          points: [],
          times: [],
          discrepancy: 0,
          noise: 0,
          merged: 0,
        }
        for (const point of points) {
          const followed = followWindow(window, { point, options: rules })
          window = followed.window
          expect(follower.take(point.at)).toBe(followed.outcome)
          expect(follower.origin).toBe(window.origin)
          expect(follower.state).toBe(window.state)
          expect(follower.times).toEqual(window.times)
        }
      }),
      { seed: 61, numRuns: 200 },
    )
  })
})

describe('EstimatorTally', () => {
  it('counts windows one at a time as compareEstimators does all at once', () => {
    const about = {
      estimators: [intuitiveTrend, weibullTrend()],
      measure: 'one-step-ahead' as const,
    }
    fc.assert(
      fc.property(gaps, (list) => {
        const windows = consistentWindows(seriesAt(timesOf(list)))
        const tally = new EstimatorTally(about)
        const seen = windows.map((window) => tally.add(window)?.slice())
        expect(tally.result()).toEqual(compareEstimators(windows, about))
        expect(seen.filter((mse) => mse !== undefined)).toHaveLength(tally.windows)
        for (const mse of seen) if (mse !== undefined) expect(mse).toHaveLength(2)
      }),
      { seed: 62, numRuns: 100 },
    )
  })
})
