import type { Learner } from '../../model/policy.js'
import { detectionGapLearner } from './detection-gap.js'
import { meanContentAgeLearner } from './mean-content-age.js'

const split = meanContentAgeLearner.size

/** Both parts of a page's memory while they are worked on: views of it, made anew at each visit, would cost more than the learning. */
const ageNumbers = new Float64Array(split)
const gapNumbers = new Float64Array(detectionGapLearner.size)

function take(memory: Float64Array): void {
  for (let at = 0; at < split; at++) ageNumbers[at] = memory[at]!
  for (let at = 0; at < gapNumbers.length; at++) gapNumbers[at] = memory[split + at]!
}

function giveBack(memory: Float64Array): void {
  for (let at = 0; at < split; at++) memory[at] = ageNumbers[at]!
  for (let at = 0; at < gapNumbers.length; at++) memory[split + at] = gapNumbers[at]!
}

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
  size: split + gapNumbers.length,
  start(memory, contentAge) {
    meanContentAgeLearner.start(ageNumbers, contentAge)
    detectionGapLearner.start(gapNumbers, contentAge)
    giveBack(memory)
  },
  learn(memory, seen) {
    take(memory)
    meanContentAgeLearner.learn(ageNumbers, seen)
    detectionGapLearner.learn(gapNumbers, seen)
    giveBack(memory)
  },
  changePeriod(memory) {
    take(memory)
    const known = !Number.isNaN(ageNumbers[lastContentAge]!)
    return known
      ? meanContentAgeLearner.changePeriod(ageNumbers)
      : detectionGapLearner.changePeriod(gapNumbers)
  },
}
