import type { Learner, Seconds, Seen } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'
import { trueMeanRate } from './page-calibration.js'

/** What is believed of each page's change rate while a collection is replayed. */
export interface Beliefs {
  start(page: number, contentAge: Seconds): void
  learn(page: number, seen: Seen): void
  /** Null while nothing is known. */
  changeRate(page: number): number | null
}

/** Beliefs that a learner forms from the visits; by source, so that nothing learned is judged at home. */
export function learnedBeliefs(
  collection: ReplayCollection,
  learnerFor: (source: number) => Learner,
): Beliefs {
  const learner = (page: number) => learnerFor(collection.sources[page]!)
  const memories = collection.ids.map((_, page) => new Float64Array(learner(page).size))
  return {
    start: (page, contentAge) => learner(page).start(memories[page]!, contentAge),
    learn: (page, seen) => learner(page).learn(memories[page]!, seen),
    changeRate(page) {
      const changePeriod = learner(page).changePeriod(memories[page]!)
      return changePeriod > 0 ? 1 / changePeriod : null
    },
  }
}

/** The oracle: each page's true mean change rate over its window, known from the start. */
export function trueBeliefs(collection: ReplayCollection): Beliefs {
  return {
    start() {},
    learn() {},
    changeRate: (page) => trueMeanRate(collection, page),
  }
}
