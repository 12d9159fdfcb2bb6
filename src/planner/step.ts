import type { Declared, HintsView } from '../model/hint.js'
import type { Observation, Start } from '../model/history.js'
import type { Due, Learner, PageView, Policy, Posterior, Seen } from '../model/policy.js'
import type { RandomSource, Seconds } from '../model/units.js'

/**
 * All that is kept of a page between visits: what its policy may know, and
 * its learner's numbers. Written in place by the fast path, copied by the pure
 * one. At 8 bytes a number, plus the learner's own size.
 */
export class PageState implements PageView {
  at = 0
  visits = 0
  changes = 0
  gap = 0
  changed = false
  contentAge = Number.NaN
  plannedGap = 0
  changePeriod = 0
  /** The learner's own scratch, as it was when this page was last planned. */
  posterior: Posterior | null = null
  /** The same with publishers' hints as evidence. */
  adjusted: Posterior | null = null
  declared: Declared | null = null
  hints: HintsView | null = null
  readonly random: RandomSource
  readonly memory: Float64Array

  constructor({ learner, random }: { learner: Learner | null; random: RandomSource }) {
    this.random = random
    this.memory = new Float64Array(learner?.size ?? 0)
  }

  /** A copy that shares nothing but the random source. */
  copy(learner: Learner | null): PageState {
    const twin = new PageState({ learner, random: this.random })
    Object.assign(twin, this, { memory: this.memory.slice() })
    return twin
  }
}

/** What turns observations into due times: a learner and the policy that follows it. */
export interface Planner {
  readonly policy: Policy
  readonly learner: Learner | null
}

/** A page's state after a visit, its estimate, and when it is due. */
export interface Step {
  readonly state: PageState
  /** The learner's estimate; 0 before there is any. */
  readonly changePeriod: Seconds
  readonly due: Due
  /** Whether a hint made the next visit earlier than the policy alone would have. */
  readonly early: boolean
}

/** What publishers say of a page, for its policy. */
export type Publishers = Pick<PageState, 'declared' | 'hints'>

/** The state after the first successful visit. */
export function firstStep(
  planner: Planner,
  start: Start,
  random: RandomSource,
  publishers?: Publishers,
): Step {
  const state = new PageState({ learner: planner.learner, random })
  if (publishers !== undefined) Object.assign(state, publishers)
  const gap = begin(planner, state, { at: start.at, contentAge: start.contentAge ?? Number.NaN })
  return settled(planner, state, gap)
}

/**
 * Estimating and planning as one pure function: an observation goes into the
 * page's state, the estimate and the next due time come out. The crawler calls
 * `stepOn` after a real visit; the simulator calls `begin` and `proceed`, which
 * it is made of, after a virtual one.
 */
export function step(planner: Planner, before: PageState, observation: Observation): Step {
  return stepOn(planner, before.copy(planner.learner), observation)
}

/** `step` on a state that nobody else has: it is written in place. */
export function stepOn(planner: Planner, state: PageState, observation: Observation): Step {
  const { at, gap, changed, contentAge = Number.NaN, unchangedFor = 0 } = observation
  return settled(
    planner,
    state,
    proceed(planner, state, { at, gap, changed, contentAge, unchangedFor }),
  )
}

/**
 * The state after a visit that saw a page known before but has nothing to
 * compare with: its past was imported, or it is compared in a new way. The
 * gap before it tells nothing, and what was learned stays.
 */
export function resume(planner: Planner, before: PageState, start: Start): Step {
  const { policy, learner } = planner
  const state = before.copy(learner)
  state.at = start.at
  state.visits++
  state.gap = 0
  state.changed = false
  state.contentAge = start.contentAge ?? Number.NaN
  if (learner !== null) updatePosterior(learner, state)
  return settled(planner, state, policy.nextGap(state))
}

/** What a planner would plan now from what it knows of a page: after a new prior or price. */
export function reconsider(planner: Planner, before: PageState): Step {
  const state = before.copy(planner.learner)
  if (planner.learner !== null) updatePosterior(planner.learner, state)
  return settled(planner, state, planner.policy.nextGap(state))
}

/** Writes the first visit into a state and gives the gap the policy asks for. */
export function begin(
  { policy, learner }: Planner,
  state: PageState,
  first: { at: number; contentAge: number },
): Seconds {
  state.at = first.at
  state.visits = 1
  state.changes = 0
  state.gap = 0
  state.changed = false
  state.contentAge = first.contentAge
  state.plannedGap = 0
  state.changePeriod = 0
  if (learner !== null) {
    learner.start(state.memory, first.contentAge)
    updatePosterior(learner, state)
  }
  return policy.nextGap(state)
}

/** Writes one observation into a state, in place, and gives the gap the policy asks for. */
export function proceed({ policy, learner }: Planner, state: PageState, seen: Seen): Seconds {
  state.at += seen.gap
  state.visits++
  if (seen.changed) state.changes++
  state.gap = seen.gap
  state.changed = seen.changed
  state.contentAge = seen.contentAge
  if (learner !== null) {
    learner.learn(state.memory, seen)
    updatePosterior(learner, state)
  }
  return policy.nextGap(state)
}

function updatePosterior(learner: Learner, state: PageState): void {
  state.changePeriod = learner.changePeriod(state.memory)
  state.posterior = learner.posterior?.(state.memory) ?? null
}

/** The posterior with the page's hints as evidence, for a policy that follows them. */
export function applyHints(learner: Learner | null, state: PageState): void {
  const reported = state.hints?.reported ?? []
  state.adjusted =
    reported.length === 0 ? null : (learner?.adjusted?.(state.memory, reported) ?? null)
}

function settled({ policy, learner }: Planner, state: PageState, gap: Seconds): Step {
  if (policy.moved !== undefined) applyHints(learner, state)
  const moved = policy.moved?.(state, gap) ?? null
  const wait = moved?.gap ?? gap
  const reason = policy.reason(state, gap)
  const due: Due = {
    at: wait === Infinity ? 'never' : state.at + wait,
    reason: moved === null ? reason : `${reason}; ${moved.why}`,
  }
  state.plannedGap = gap
  return { state, changePeriod: state.changePeriod, due, early: wait < gap }
}
