import { type Mind, PageState } from '../../engine/index.js'
import { DAY, type Declared, type Seconds } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import { lastModifiedOf } from '../last-modified.js'
import type { Scores } from '../scores.js'
import { visitPage } from '../visit-loop.js'
import type { Study } from './study.js'

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
export function visitStudyPage(
  { process, lastModified, length, seed }: Study,
  {
    page,
    scores,
    mind,
    maxVisits = Infinity,
  }: { page: number; scores: Scores; mind: Mind; maxVisits?: number },
): Float64Array {
  const stream = (which: number) => Random.stream({ seed, index: streams * page + which })
  const state = new PageState({ learner: mind.learner, random: stream(1) })
  state.declared = declaredBy(process.changePeriod)
  visitPage(mind, state, scores, {
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
