import {
  type Estimate,
  type Estimator,
  type History,
  type ShownEstimate,
  shownEstimate,
} from '../../model/index.js'

/** The estimate of a page as it is shown, also of one that no visit ever saw. */
export function pageEstimate(
  history: History | null,
  { estimator, level }: { estimator: Estimator; level: number },
): ShownEstimate {
  if (history === null) return unseen(estimator.name)
  return shownEstimate(estimator.estimate(history, { level }))
}

function unseen(method: string): Estimate {
  return {
    method,
    changeRate: null,
    changePeriod: null,
    bounds: null,
    evidence: {
      visits: 0,
      observations: 0,
      changes: 0,
      samplingPeriod: 0,
      unchangedTime: 0,
      contentAges: 0,
    },
    verdict: 'no-observation',
  }
}
