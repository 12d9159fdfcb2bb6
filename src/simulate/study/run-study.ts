import type { Mind } from '../../engine/index.js'
import type { Seconds } from '../../model/index.js'
import { Scores } from '../scores.js'
import type { Study, StudyPages } from './study.js'
import { StudyTally } from './tally.js'
import { visitStudyPage } from './visit-study-page.js'

/**
 * Visits a range of a study's pages. A page is the same in whatever range, so
 * ranges can be run anywhere and merged. Nothing is allocated per visit.
 */
export function runStudy(study: Study, pages: StudyPages): StudyTally {
  const tally = new StudyTally()
  const scores = new Scores()
  const mind = quiet(study.mind)
  for (let page = pages.from; page < pages.to; page++) {
    scores.clear()
    const memory = visitStudyPage(study, { page, scores, mind })
    tally.add(scores, estimateAfter(scores, study.mind.learner?.changePeriod(memory) ?? null))
  }
  return tally
}

/** A learner that compared nothing yet says 0, which is no estimate. */
function estimateAfter(scores: Scores, estimate: Seconds | null): Seconds | null {
  return estimate === 0 && scores.visits === scores.firstVisits ? null : estimate
}

/** Where the policy follows no estimate, the learner is asked for one at the end only. */
function quiet({ policy, learner }: Mind): Mind {
  if (learner === null || policy.learner !== null) return { policy, learner }
  return { policy, learner: { ...learner, changePeriod: () => 0 } }
}
