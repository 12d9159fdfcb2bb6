import type { Declared } from '../../model/hint.js'
import { DAY, type Seconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { PageState, type Planner } from '../../planner/step.js'
import { poisson } from '../process/poisson.js'
import { Scores } from '../scores.js'
import { visitPage } from '../visit-loop.js'
import { lastModifiedOf } from './last-modified.js'
import type { Study, StudyPages } from './study.js'
import { StudyTally } from './study-result.js'

/** Monday 2024-01-01 00:00 UTC, so that hours of the week mean what they say. */
const start = 1_704_067_200

/** Each page draws from streams of its own: what changes, what the policy draws, what the server says. */
const streams = 3

/**
 * Visits one page of a study and gives what its learner remembers at the end.
 * Page i has its own random streams under the study's seed, so a page is the
 * same whoever runs it and after which others; and where changes are drawn one
 * by one, every policy meets the same changes.
 */
function visitStudyPage(
  { process, lastModified, length, seed }: Study,
  {
    page,
    scores,
    planner,
    maxVisits = Infinity,
  }: { page: number; scores: Scores; planner: Planner; maxVisits?: number },
): Float64Array {
  const stream = (which: number) => Random.stream({ seed, index: streams * page + which })
  const state = new PageState({ learner: planner.learner, random: stream(1) })
  state.declared = declaredBy(process.changePeriod)
  visitPage(planner, state, scores, {
    timeline: process.timeline({ from: start, random: stream(0) }),
    from: start,
    until: start + length,
    warmUp: Infinity,
    maxVisits,
    contentAge: lastModifiedOf({ kind: lastModified, random: stream(2) }),
  })
  return state.memory
}

/** What an honest publisher declares of a page: its mean change period, in whole days as Hattab's tag has it. */
function declaredBy(changePeriod: Seconds): Declared {
  if (changePeriod === Infinity) return { kind: 'static' }
  return { kind: 'periodic', period: DAY * Math.max(1, Math.round(changePeriod / DAY)) }
}

/**
 * Visits a range of a study's pages. A page is the same in whatever range, so
 * ranges can be run anywhere and merged. Nothing is allocated per visit.
 */
export function runStudy(study: Study, pages: StudyPages): StudyTally {
  const tally = new StudyTally()
  const planner = quiet(study.planner)
  for (let page = pages.from; page < pages.to; page++) {
    const scores = new Scores()
    const memory = visitStudyPage(study, { page, scores, planner })
    tally.add(scores, estimateAfter(scores, study.planner.learner?.changePeriod(memory) ?? null))
  }
  return tally
}

/** A learner that compared nothing yet says 0, which is no estimate. */
function estimateAfter(scores: Scores, estimate: Seconds | null): Seconds | null {
  return estimate === 0 && scores.visits === scores.firstVisits ? null : estimate
}

/** Where the policy follows no estimate, the learner is asked for one at the end only. */
function quiet({ policy, learner }: Planner): Planner {
  if (learner === null || policy.learner !== null) return { policy, learner }
  return { policy, learner: { ...learner, changePeriod: () => 0 } }
}

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
  const { process, planner, length } = study
  const pilot = { ...study, process: poisson({ period: Math.min(process.changePeriod, 1e300) }) }
  let visits = 0
  for (let page = 0; page < pilotPages; page++) {
    const scores = new Scores()
    visitStudyPage(pilot, { page, scores, planner, maxVisits: pilotVisits })
    // A page that was not visited to its end goes on as it began.
    visits += scores.visits * Math.max(1, length / Math.max(scores.time, length * 1e-12))
  }
  const changes = leaping.has(process.name) ? 0 : length / process.changePeriod
  return { visits: (visits / pilotPages) * pages, changes: changes * pages }
}
