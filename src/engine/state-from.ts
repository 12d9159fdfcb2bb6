import {
  calmParts,
  type History,
  type Learner,
  type Observation,
  type RandomSource,
} from '../model/index.js'
import { PageState } from './page-state.js'
import type { Mind } from './step.js'

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
