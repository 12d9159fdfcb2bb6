import { type Estimator, periodRange } from '../../../../src/model/estimate.js'
import type { History } from '../../../../src/model/history.js'
import type { Seconds } from '../../../../src/model/units.js'
import { countsUpTo } from '../../../lab/watch-page.js'

/** The change period after so many visits, with its bounds; null where there is no number. */
export interface SharpPoint {
  readonly visits: number
  readonly period: Seconds | null
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
}

const standIns = new Set(['no-change-seen', 'always-changed', 'no-observation', 'no-content-age'])

/** The estimate as it sharpened, visit by visit. */
export function sharpening(history: History, estimator: Estimator): SharpPoint[] {
  const { start, observations } = history
  return countsUpTo(observations.length, 100).map((count) => {
    const seen = { start, observations: observations.slice(0, count) }
    const { changePeriod, bounds, verdict } = estimator.estimate(seen)
    const { shortest, longest } = periodRange(bounds)
    const known = changePeriod !== null && changePeriod > 0 && !standIns.has(verdict)
    return { visits: count + 1, period: known ? changePeriod : null, shortest, longest }
  })
}
