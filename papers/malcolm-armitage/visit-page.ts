import { reportsNothing, reportsTruth, Scores, type Timeline, visitPage } from 'revisit/lab'
import type {
  Estimator,
  History,
  Observation,
  RandomSource,
  Seconds,
  UnixSeconds,
} from 'revisit/model'
import { learnerNamed, PageState } from 'revisit/planner'
import { dailyGap, type Scenario } from './scenarios.js'

/** What a scenario makes of one page. */
export interface PageEstimate {
  readonly changePeriod: Seconds
  readonly visits: number
}

export interface PageVisits {
  readonly timeline: Timeline
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  readonly random: RandomSource
}

/** Visits a page as a scenario says and estimates its change period. */
export function estimatePage(
  { policy, dated, estimator }: Scenario,
  { timeline, from, until, random }: PageVisits,
): PageEstimate {
  if (policy === null) {
    const history = dailyHistory(timeline, { from, until, dated })
    return {
      changePeriod: periodOr(estimator, { history, samplingPeriod: until - from }),
      visits: history.observations.length + 1,
    }
  }
  const learner = learnerNamed(policy.learner!)
  const state = new PageState({ learner, random })
  const contentAge = dated ? reportsTruth : reportsNothing
  visitPage({ policy, learner }, state, new Scores(), { timeline, from, until, contentAge })
  return { changePeriod: state.changePeriod, visits: state.visits }
}

/** The visits of a fixed gap of 24 hours, the first among them. */
function dailyHistory(
  timeline: Timeline,
  { from, until, dated }: { from: UnixSeconds; until: UnixSeconds; dated: boolean },
): History {
  const observations: Observation[] = []
  const start = dated ? { at: from, contentAge: from - timeline.lastChange } : { at: from }
  const gaps = Math.floor((until - from) / dailyGap + 1e-9)
  for (let i = 1; i <= gaps; i++) {
    const at = from + i * dailyGap
    const changed = timeline.advance(at)
    const seen = { at, gap: dailyGap, changed }
    observations.push(dated ? { ...seen, contentAge: at - timeline.lastChange } : seen)
  }
  return { start, observations }
}

/** No change seen: the sampling period, which is the limit of eq. 3 and the papers' reading. */
export function periodOr(
  estimator: Estimator,
  { history, samplingPeriod }: { history: History; samplingPeriod: Seconds },
): Seconds {
  return estimator.estimate(history).changePeriod ?? samplingPeriod
}
