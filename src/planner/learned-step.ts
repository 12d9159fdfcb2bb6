import {
  believableAge,
  calmParts,
  type History,
  type Observation,
  type Start,
} from '../model/history.js'
import type { LearnerState, PageRecord } from '../model/page.js'
import type { Due, Learner } from '../model/policy.js'
import type { RandomSource, Seconds } from '../model/units.js'
import {
  firstStep,
  type Mind,
  PageState,
  type Publishers,
  resume,
  type Step,
  stepOn,
} from './step.js'

/** Numbers kept in front of the learner's own: successful visits, changes, planned gap. */
const head = 3

/** Whose numbers they are: another policy or learner cannot read them, one that wraps it can. */
export function mindName(mind: Mind): string {
  const known = names.get(mind)
  if (known !== undefined) return known
  const { policy, learner } = mind
  const name = `${(policy.bare ?? policy).name}/${learner?.name ?? 'none'}`
  names.set(mind, name)
  return name
}

/** Asked for three times at each visit, and minds are few. */
const names = new WeakMap<Mind, string>()

/** A page's state as the numbers that its row holds. */
export function packState(mind: Mind, state: PageState): LearnerState {
  const numbers = new Float64Array(head + state.memory.length)
  numbers[0] = state.visits
  numbers[1] = state.changes
  numbers[2] = state.plannedGap
  numbers.set(state.memory, head)
  return { learner: mindName(mind), numbers }
}

/** Whether a page's row holds a state that this mind can read. */
export function holdsState(mind: Mind, { state, lastSeen }: PageRecord): boolean {
  if (state === null || lastSeen === null || state.learner !== mindName(mind)) return false
  return state.numbers.length === head + (mind.learner?.size ?? 0)
}

/**
 * The state that a page's row holds, or null where it has none that this
 * mind can read: never visited, or learned by another.
 */
export function unpackState(mind: Mind, page: PageRecord, random: RandomSource): PageState | null {
  const { state, lastSeen } = page
  if (state === null || lastSeen === null || !holdsState(mind, page)) return null
  const unpacked = new PageState({ learner: mind.learner, random })
  unpacked.at = lastSeen
  unpacked.visits = state.numbers[0]!
  unpacked.changes = state.numbers[1]!
  unpacked.plannedGap = state.numbers[2]!
  const { memory } = unpacked
  for (let at = 0; at < memory.length; at++) memory[at] = state.numbers[head + at]!
  return unpacked
}

/**
 * The state that a mind would have, had it followed the page all along: for
 * pages that another policy or learner followed until now. The gap before the
 * next visit stands in for the one it would have planned. O(observations).
 */
export function stateFrom(
  { learner }: Mind,
  { start, observations }: History,
  random: RandomSource,
): PageState {
  const state = new PageState({ learner, random })
  state.at = start.at
  state.visits = 1
  state.contentAge = start.contentAge ?? Number.NaN
  learner?.start(state.memory, state.contentAge)
  for (const observation of observations) {
    const { at, gap, changed, contentAge = Number.NaN } = observation
    state.at = at
    state.visits++
    if (changed) state.changes++
    state.gap = gap
    state.changed = changed
    state.contentAge = contentAge
    state.plannedGap = gap
    if (learner !== null) take(learner, { memory: state.memory, observation })
  }
  return state
}

function take(
  learner: Learner,
  { memory, observation }: { memory: Float64Array; observation: Observation },
): void {
  const parts = learner.knowsCalm === true ? [observation] : calmParts(observation)
  for (const { at, gap, changed, contentAge = Number.NaN, calmFor = 0 } of parts)
    learner.learn(memory, { at, gap, changed, contentAge, calmFor })
}

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
