import { poisson } from '../process/index.js'
import { Scores } from '../scores.js'
import type { Study } from './study.js'
import { visitStudyPage } from './visit-study-page.js'

/** Processes that leap over changes; the others walk every one. */
const leaping = new Set(['poisson', 'power-law-trend', 'hour-of-week'])
const pilotPages = 4
const pilotVisits = 10_000

/** What a study will cost, as far as can be told beforehand. */
export interface StudyEffort {
  /** Visits of all pages. */
  readonly visits: number
  /** Changes that are drawn one by one. */
  readonly changes: number
}

/**
 * How many visits and changes a study will take, from a pilot: a few pages,
 * visited at most 10,000 times each, that change at random with the same
 * period, so that the pilot itself is quick whatever is asked for.
 */
export function studyEffort(study: Study, { pages }: { readonly pages: number }): StudyEffort {
  const { process, mind, length } = study
  const pilot = { ...study, process: poisson({ period: Math.min(process.changePeriod, 1e300) }) }
  let visits = 0
  for (let page = 0; page < pilotPages; page++) {
    const scores = new Scores()
    visitStudyPage(pilot, { page, scores, mind, maxVisits: pilotVisits })
    // A page that was not visited to its end goes on as it began.
    visits += scores.visits * Math.max(1, length / Math.max(scores.time, length * 1e-12))
  }
  const changes = leaping.has(process.name) ? 0 : length / process.changePeriod
  return { visits: (visits / pilotPages) * pages, changes: changes * pages }
}
