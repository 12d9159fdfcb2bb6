import { type Estimator, type History, shownEstimate } from '../../../model/index.js'
import type { EstimateSharpening } from '../../../report/index.js'
import { isStandIn } from '../stand-in.js'

const most = 80

/** The estimate after each visit, or after 80 of them, closer together at the beginning. */
export function sharpeningOf(
  history: History,
  { estimator, level }: { readonly estimator: Estimator; readonly level: number },
): EstimateSharpening {
  const points = counts(history.observations.length).map((count) => {
    const seen = { start: history.start, observations: history.observations.slice(0, count) }
    const { changePeriod, bounds, verdict } = shownEstimate(estimator.estimate(seen, { level }))
    return { visits: count + 1, changePeriod, bounds, standIn: isStandIn(verdict) }
  })
  return { method: estimator.name, points }
}

function counts(all: number): number[] {
  if (all <= most) return Array.from({ length: all }, (_, i) => i + 1)
  const spaced = Array.from({ length: most }, (_, i) => Math.round(all * ((i + 1) / most) ** 1.7))
  return [...new Set(spaced.filter((count) => count > 0))]
}
