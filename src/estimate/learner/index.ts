import { type Learner, OptionError } from '../../model/index.js'
import { autoLearner } from '../auto/auto-learner.js'
import { biasReducedLearner } from './bias-reduced.js'
import { consistentWindowLearner } from './consistent-window.js'
import { detectionGapLearner, detectionGapUncorrectedLearner } from './detection-gap.js'
import { intuitiveLearner } from './intuitive.js'
import { irregularMleLearner } from './irregular-mle.js'
import { lastModifiedLearner } from './last-modified.js'
import { malcolmArmitageLearner } from './malcolm-armitage.js'
import { meanContentAgeLearner } from './mean-content-age.js'
import { onlineLearner } from './online.js'

export { biasReducedLearner } from './bias-reduced.js'
export { consistentWindowLearner, type WindowLearnerOptions } from './consistent-window.js'
export { detectionGapLearner, detectionGapUncorrectedLearner } from './detection-gap.js'
export { intuitiveLearner } from './intuitive.js'
export { irregularMleLearner } from './irregular-mle.js'
export { lastModifiedLearner } from './last-modified.js'
export { malcolmArmitageLearner } from './malcolm-armitage.js'
export { meanContentAgeLearner } from './mean-content-age.js'
export { onlineLearner } from './online.js'

/** Every learner that needs no setting of its own. */
export const learners: readonly Learner[] = [
  intuitiveLearner,
  biasReducedLearner,
  detectionGapLearner,
  detectionGapUncorrectedLearner,
  irregularMleLearner(),
  onlineLearner(),
  meanContentAgeLearner,
  lastModifiedLearner,
  malcolmArmitageLearner,
  consistentWindowLearner(),
  autoLearner(),
]

/** The learner of that name. */
export function learnerNamed(name: string): Learner {
  const found = learners.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = learners.map((each) => each.name).join(', ')
  throw new OptionError('unknown-learner', `there is no learner "${name}"; there are: ${known}`)
}
