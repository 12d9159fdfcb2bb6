import { compareEstimators, consistentWindows, type EstimatorComparison } from 'revisit/estimators'
import { DAY } from 'revisit/model'
import { contenders } from './contenders.js'
import type { PageSet } from './page-set.js'
import { fewestPoints } from './study.js'

/** Figure 2: what the threshold does to the error, one step ahead. */
export interface ThresholdPoint {
  readonly days: number
  readonly compared: EstimatorComparison
}

export function thresholdsOf(set: PageSet, progress: (share: number) => void): ThresholdPoint[] {
  return Array.from({ length: 10 }, (_, i) => {
    progress(i / 10)
    const days = i + 1
    return { days, compared: comparedAt(set, { days }) }
  })
}

function comparedAt(set: PageSet, { days }: { days: number }): EstimatorComparison {
  function* windows() {
    for (const series of set.series())
      for (const window of consistentWindows(series, { threshold: { seconds: days * DAY } }))
        if (window.points.length >= fewestPoints) yield window
  }
  return compareEstimators(windows(), { estimators: contenders, measure: 'one-step-ahead' })
}
