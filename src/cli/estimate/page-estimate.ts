import type { Estimate, Estimator, History } from '../../model/index.js'

/** The estimate of a page, also of one that no visit ever saw. */
export function pageEstimate(
  history: History | null,
  { estimator, level }: { estimator: Estimator; level: number },
): Estimate {
  return history === null ? unseen(estimator.name) : estimator.estimate(history, { level })
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
