import { believedQuantile } from '../estimate/index.js'
import type { PageRecord, RandomSource, Seconds } from '../model/index.js'
import { unpackState } from './packed-state.js'
import type { Mind } from './step.js'

/** A state needs one; nothing is drawn here. */
const noChance: RandomSource = {
  uniform: () => 0,
  exponential: () => 0,
  normal: () => 0,
  gamma: () => 0,
}

/**
 * The change period that the page's learner believes in, from the numbers in
 * its row: costs nothing beside an estimate from the whole history. Of the
 * default it is the median, as its estimates tell it. Null before there is any.
 */
export function believedPeriod(mind: Mind, page: PageRecord): Seconds | null {
  const state = unpackState(mind, page, noChance)
  if (state === null || mind.learner === null || state.visits < 2) return null
  const belief = mind.learner.belief?.(state.memory)
  const period =
    belief === undefined
      ? mind.learner.changePeriod(state.memory)
      : 1 / believedQuantile(belief, 0.5)
  return period > 0 && Number.isFinite(period) ? period : null
}
