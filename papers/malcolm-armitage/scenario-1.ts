import type { Timeline } from 'revisit/lab'
import type { Seconds } from 'revisit/model'
import { dailyGap, dailyGaps, samplingPeriod, scenario } from './scenarios.js'
import { type PageEstimate, periodOr } from './visit-page.js'

/**
 * Scenario 1 on one Poisson page. Its estimate is T / X': proportional to the
 * observed time (T) for a given count of changed gaps. So one call of the
 * estimator for each count serves a million pages; a test compares this with
 * the estimator on whole histories.
 */
export function scenario1({ timeline }: { readonly timeline: Timeline }): PageEstimate {
  let changed = 0
  let observedTime = 0
  for (let i = 1; i <= dailyGaps; i++) {
    const at = i * dailyGap
    if (timeline.advance(at)) {
      changed++
      observedTime += at - timeline.lastChange
    } else observedTime += dailyGap
  }
  const changePeriod = changed === 0 ? samplingPeriod : observedTime * perObservedTime(changed)
  return { changePeriod, visits: dailyGaps + 1 }
}

const known: number[] = []

/** The estimate for a unit of observed time. */
function perObservedTime(changed: number): number {
  known[changed] ??= estimateWith(changed)
  return known[changed]
}

function estimateWith(changed: number): number {
  const contentAge: Seconds = dailyGap / 2
  const observations = Array.from({ length: dailyGaps }, (_, i) => {
    const seen = { at: (i + 1) * dailyGap, gap: dailyGap }
    return i < changed ? { ...seen, changed: true, contentAge } : { ...seen, changed: false }
  })
  const history = { start: { at: 0, contentAge }, observations }
  const observedTime = changed * contentAge + (dailyGaps - changed) * dailyGap
  return periodOr(scenario('S1').estimator, { history, samplingPeriod }) / observedTime
}
