import {
  believableAge,
  type History,
  type Observation,
  type Start,
  unchangedParts,
} from '../model/history.js'
import type { LearnerState, PageRecord } from '../model/page.js'
import type { Due, Learner } from '../model/policy.js'
import type { RandomSource, Seconds } from '../model/units.js'
import {
  firstStep,
  PageState,
  type Planner,
  type Publishers,
  resume,
  type Step,
  stepOn,
} from './step.js'

/** For a state that is only read: it needs a source of chance, and nothing is sampled from it. */
export const noChance: RandomSource = {
  uniform: () => 0.5,
  exponential: () => 1,
  normal: () => 0,
  gamma: (shape) => shape,
}

/** Numbers kept in front of the learner's own: successful visits, changes, planned gap. */
const head = 3

/** Whose numbers they are: another policy or learner cannot read them, one that wraps it can. */
function plannerName(planner: Planner): string {
  const known = names.get(planner)
  if (known !== undefined) return known
  const { policy, learner } = planner
  const name = `${(policy.bare ?? policy).name}/${learner?.name ?? 'none'}`
  names.set(planner, name)
  return name
}

/** Asked for three times at each visit, and planners are few. */
const names = new WeakMap<Planner, string>()

/** A page's state as the numbers that its row holds. */
export function packState(planner: Planner, state: PageState): LearnerState {
  const numbers = new Float64Array(head + state.memory.length)
  numbers[0] = state.visits
  numbers[1] = state.changes
  numbers[2] = state.plannedGap
  numbers.set(state.memory, head)
  return { learner: plannerName(planner), numbers }
}

/** What others may ask of the state in a page's row. */
export interface StateSummary {
  /** Successful visits, and those that found a change. */
  readonly visits: number
  readonly changes: number
  /** The gap that the policy asked for last. */
  readonly plannedGap: Seconds
}

/** The counts that every planner keeps, whichever wrote the state; null where there is none. */
export function stateSummary(state: LearnerState | null): StateSummary | null {
  if (state === null) return null
  const { numbers } = state
  return { visits: numbers[0] ?? 0, changes: numbers[1] ?? 0, plannedGap: numbers[2] ?? 0 }
}

/** Whether a page's row holds a state that this planner can read. */
export function holdsState(planner: Planner, { state, lastSeen }: PageRecord): boolean {
  if (state === null || lastSeen === null || state.learner !== plannerName(planner)) return false
  return state.numbers.length === head + (planner.learner?.size ?? 0)
}

/**
 * The state that a page's row holds, or null where it has none that this
 * planner can read: never visited, or learned by another.
 */
export function unpackState(
  planner: Planner,
  page: PageRecord,
  random: RandomSource,
): PageState | null {
  const { state, lastSeen } = page
  if (state === null || lastSeen === null || !holdsState(planner, page)) return null
  const unpacked = new PageState({ learner: planner.learner, random })
  unpacked.at = lastSeen
  unpacked.visits = state.numbers[0]!
  unpacked.changes = state.numbers[1]!
  unpacked.plannedGap = state.numbers[2]!
  const { memory } = unpacked
  for (let at = 0; at < memory.length; at++) memory[at] = state.numbers[head + at]!
  return unpacked
}

/**
 * The state that a planner would have, had it followed the page all along: for
 * pages that another policy or learner followed until now. The gap before the
 * next visit stands in for the one it would have planned. O(observations).
 */
export function stateFrom(
  { learner }: Planner,
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
  const parts = learner.usesUnchangedFor === true ? [observation] : unchangedParts(observation)
  for (const { at, gap, changed, contentAge = Number.NaN, unchangedFor = 0 } of parts)
    learner.learn(memory, { at, gap, changed, contentAge, unchangedFor })
}

/** Who learns from a visit, and what was seen before where the page's row holds another learner's numbers. */
interface LearnerContext {
  readonly planner: Planner
  readonly random: RandomSource
  readonly past?: History | null
}

interface LearnedStep {
  readonly due: Due
  readonly state: LearnerState
  readonly contentAge: Seconds | null
  /** Whether a hint made the next visit earlier. */
  readonly early: boolean
}

/** What a visit that saw the page adds to what is known of it: state, due time, believable age. */
export function learned(
  { planner, random, past = null }: LearnerContext,
  about: {
    page: PageRecord
    observation: Observation | null
    visit: { at: number; lastModified?: number }
    publishers?: Publishers | undefined
    /** The observation with what lists reported of it, for a planner that follows hints. */
    adjusted?: Observation | null
  },
): LearnedStep {
  const { observation, visit, publishers } = about
  const before =
    unpackState(planner, about.page, random) ??
    (past === null ? null : stateFrom(planner, past, random))
  if (before !== null && publishers !== undefined) Object.assign(before, publishers)
  if (before !== null && observation !== null)
    return learnedStep(planner, stepOn(planner, before, about.adjusted ?? observation), observation)
  const start = startOf(visit)
  const next =
    before === null ? firstStep(planner, start, random, publishers) : resume(planner, before, start)
  return learnedStep(planner, next, observation ?? start)
}

function learnedStep(
  planner: Planner,
  { state, due, early }: Step,
  { contentAge }: Start,
): LearnedStep {
  return { due, state: packState(planner, state), contentAge: contentAge ?? null, early }
}

function startOf(visit: { at: number; lastModified?: number }): Start {
  const contentAge = believableAge({ ...visit, outcome: 'first' })
  return contentAge === undefined ? { at: visit.at } : { at: visit.at, contentAge }
}
