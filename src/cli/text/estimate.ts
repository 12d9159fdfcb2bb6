import {
  type Bounds,
  type Estimate,
  type Estimator,
  periodRange,
  rangeWords,
  type ShownEstimate,
  shownEstimate,
  type Verdict,
} from '../../model/estimate.js'
import type { History } from '../../model/history.js'

/** A verdict as a person reads it in a table. */
export const verdictWords: Record<Verdict, string> = {
  ok: 'ok',
  'no-observation': 'seen less than twice',
  'prior-only': 'not seen twice yet: the prior',
  'no-content-age': 'no Last-Modified',
  'no-change-seen': 'no change seen',
  'always-changed': 'changed at every visit',
  'short-sampling': 'sampled too briefly',
  'unequal-gaps': 'the gaps are unequal',
}

/** Bounds of a change rate as a cell of a table: `2.1 to 5.5 days`; `-` where there are none. */
export function periodWords(bounds: Bounds | null): string {
  return bounds === null ? '-' : (rangeWords(periodRange(bounds)) ?? 'unknown')
}

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

/** Whether the number only stands in for what the visits could not tell; the bounds say what they did. */
export function isStandIn(verdict: Verdict): boolean {
  return verdict === 'no-change-seen' || verdict === 'always-changed'
}
