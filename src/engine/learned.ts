import {
  believableAge,
  type Due,
  type History,
  type LearnerState,
  type Observation,
  type PageRecord,
  type RandomSource,
  type Seconds,
  type Start,
} from '../model/index.js'
import { packState, unpackState } from './packed-state.js'
import { stateFrom } from './state-from.js'
import { firstStep, type Mind, type Publishers, resume, type Step, stepOn } from './step.js'

/** Who learns from a visit, and what was seen before where the page's row holds another learner's numbers. */
interface Pupil {
  readonly mind: Mind
  readonly random: RandomSource
  readonly past?: History | null
}

interface Lesson {
  readonly due: Due
  readonly state: LearnerState
  readonly contentAge: Seconds | null
  /** Whether a hint made the next visit earlier. */
  readonly early: boolean
}

/** What a visit that saw the page adds to what is known of it: state, due time, believable age. */
export function learned(
  { mind, random, past = null }: Pupil,
  about: {
    page: PageRecord
    observation: Observation | null
    visit: { at: number; lastModified?: number }
    publishers?: Publishers | undefined
    /** The observation with what lists told of it, for a mind that hears. */
    heard?: Observation | null
  },
): Lesson {
  const { observation, visit, publishers } = about
  const before =
    unpackState(mind, about.page, random) ?? (past === null ? null : stateFrom(mind, past, random))
  if (before !== null && publishers !== undefined) Object.assign(before, publishers)
  if (before !== null && observation !== null)
    return lesson(mind, stepOn(mind, before, about.heard ?? observation), observation)
  const start = startOf(visit)
  const next =
    before === null ? firstStep(mind, start, random, publishers) : resume(mind, before, start)
  return lesson(mind, next, observation ?? start)
}

function lesson(mind: Mind, { state, due, early }: Step, { contentAge }: Start): Lesson {
  return { due, state: packState(mind, state), contentAge: contentAge ?? null, early }
}

function startOf(visit: { at: number; lastModified?: number }): Start {
  const contentAge = believableAge({ ...visit, outcome: 'first' })
  return contentAge === undefined ? { at: visit.at } : { at: visit.at, contentAge }
}
