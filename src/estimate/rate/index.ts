import { type Estimator, OptionError } from '../../model/index.js'
import { auto } from '../auto/auto.js'
import { biasReduced } from './bias-reduced.js'
import { detectionGap, detectionGapUncorrected } from './detection-gap.js'
import { intuitive } from './intuitive.js'
import { irregularMle } from './irregular-mle.js'
import { lastModified } from './last-modified.js'
import { meanContentAge } from './mean-content-age.js'
import { online } from './online.js'
import { posterior } from './posterior.js'

export { biasReduced } from './bias-reduced.js'
export { detectionGap, detectionGapUncorrected, detectionGapWith } from './detection-gap.js'
export { evidenceOf } from './evidence.js'
export { intuitive } from './intuitive.js'
export { irregularMle, irregularMleWith, type PseudoGaps } from './irregular-mle.js'
export { lastModified } from './last-modified.js'
export { meanContentAge } from './mean-content-age.js'
export {
  type OnlineForm,
  type OnlineOptions,
  type OnlineState,
  online,
  onlineRate,
  onlineStart,
  onlineStep,
  onlineWith,
} from './online.js'
export { type PosteriorOptions, posterior, posteriorOf, posteriorWith } from './posterior.js'
export {
  cheapestGap,
  type Sampling,
  samplingError,
  type Told,
  visitsNeeded,
} from './sampling-plan.js'

/** Every rate estimator that needs no setting of its own, in the order in which people compare them. */
export const rateEstimators: readonly Estimator[] = [
  intuitive,
  biasReduced,
  detectionGap,
  detectionGapUncorrected,
  irregularMle,
  posterior,
  online,
  meanContentAge,
  lastModified,
  auto,
]

/** The estimator of that name. */
export function rateEstimator(name: string): Estimator {
  const found = rateEstimators.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = rateEstimators.map((each) => each.name).join(', ')
  throw new OptionError('unknown-method', `there is no method "${name}"; there are: ${known}`)
}
