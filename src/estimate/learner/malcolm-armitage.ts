import type { Learner } from '../../model/index.js'
import { detectionGapLearner } from './detection-gap.js'
import { meanContentAgeLearner } from './mean-content-age.js'

const split = meanContentAgeLearner.size
const agePart = (memory: Float64Array) => memory.subarray(0, split)
const gapPart = (memory: Float64Array) => memory.subarray(split)
/** Where the mean-content-age learner keeps the content age at the last visit. */
const lastContentAge = 2

/**
 * Both of Malcolm & Armitage's estimates side by side: the mean content age
 * while the page tells Last-Modified, the detection gap while it does not.
 */
export const malcolmArmitageLearner: Learner = {
  name: 'malcolm-armitage',
  summary:
    'Malcolm & Armitage eq. 2 where the content age is known, eq. 3 elsewhere, in six numbers',
  size: split + detectionGapLearner.size,
  start(memory, contentAge) {
    meanContentAgeLearner.start(agePart(memory), contentAge)
    detectionGapLearner.start(gapPart(memory), contentAge)
  },
  learn(memory, seen) {
    meanContentAgeLearner.learn(agePart(memory), seen)
    detectionGapLearner.learn(gapPart(memory), seen)
  },
  changePeriod(memory) {
    const known = !Number.isNaN(memory[lastContentAge]!)
    return known
      ? meanContentAgeLearner.changePeriod(agePart(memory))
      : detectionGapLearner.changePeriod(gapPart(memory))
  },
}
