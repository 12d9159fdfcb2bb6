import type { Declared, HintsView, Learner, PageView, RandomSource } from '../model/index.js'

/**
 * All that is kept of a page between visits: what its policy may look at, and
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
  /** The learner's own scratch, written by its last look at this page. */
  belief: Float64Array | null = null
  /** The same with publishers' hints as evidence. */
  heard: Float64Array | null = null
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
