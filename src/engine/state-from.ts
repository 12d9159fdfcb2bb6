import type { History, RandomSource } from '../model/index.js'
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
  for (const { at, gap, changed, contentAge = Number.NaN } of observations) {
    state.at = at
    state.visits++
    if (changed) state.changes++
    state.gap = gap
    state.changed = changed
    state.contentAge = contentAge
    state.plannedGap = gap
    learner?.learn(state.memory, { at, gap, changed, contentAge })
  }
  return state
}
