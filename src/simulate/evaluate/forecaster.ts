import { autoLearner, chanceOfChange, type GroupLaw } from '../../estimate/index.js'
import type { Learner, Seconds, Seen, UnixSeconds } from '../../model/index.js'
import { LearningGroup } from './learning-group.js'

/** Someone who gives a chance before each visit, and remembers what it saw in a few numbers. */
export interface Forecaster {
  readonly name: string
  readonly size: number
  start(memory: Float64Array, contentAge: Seconds): void
  learn(memory: Float64Array, seen: Seen): void
  chance(memory: Float64Array, next: { at: UnixSeconds; gap: Seconds }): number
}

/** One for the pages of a group, that learns now and then what such pages are like. */
export interface GroupForecaster extends Forecaster {
  /** Learns anew from what pages of the group remember. */
  relearn(memories: readonly Float64Array[]): void
}

/** A learner's change period, with changes taken to be Poisson; 1/2 while it has none to give. */
export function poissonForecaster(learner: Learner): Forecaster {
  return {
    name: learner.name,
    size: learner.size,
    start: (memory, contentAge) => learner.start(memory, contentAge),
    learn: (memory, seen) => learner.learn(memory, seen),
    chance(memory, { gap }) {
      const changePeriod = learner.changePeriod(memory)
      return changePeriod > 0 ? -Math.expm1(-gap / changePeriod) : 0.5
    },
  }
}

/** The default's estimator with one law and clock all along. */
export function autoAloneForecaster(law: GroupLaw): Forecaster {
  const learner = autoLearner({ law })
  return {
    name: 'auto-without-group',
    size: learner.size,
    start: (memory, contentAge) => learner.start(memory, contentAge),
    learn: (memory, seen) => learner.learn(memory, seen),
    chance: (memory, next) =>
      chanceOfChange(learner.belief(memory), learner.clockGap(memory, next)),
  }
}

/** The default as it runs: it starts with a law, and learns the group's own and its clock from the group's visits. */
export function autoForecaster(law: GroupLaw): GroupForecaster {
  const group = new LearningGroup(law)
  const untold = new WeakSet<Float64Array>()
  return {
    name: 'auto',
    size: group.learner.size,
    start(memory, contentAge) {
      group.learner.start(memory, contentAge)
      if (!(contentAge >= 0)) untold.add(memory)
    },
    learn(memory, seen) {
      const { at = Number.NaN, gap, changed } = seen
      group.note(memory, { at, gap, changed, isFirst: untold.delete(memory) })
      group.learner.learn(memory, seen)
    },
    chance: (memory, next) => group.chance(memory, next),
    relearn: (memories) => group.refresh(memories),
  }
}
