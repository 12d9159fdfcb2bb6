import { type Estimator, splitCalm } from '../../model/index.js'
import { evidenceOf } from './evidence.js'

/**
 * A method that knows gaps only, given a gap with a calm beginning as two. The
 * evidence still counts visits that were made. Where no list told anything it
 * is the method itself.
 */
export function mindingCalm(bare: Estimator): Estimator {
  return {
    ...bare,
    estimate(history, options) {
      const split = splitCalm(history)
      const estimate = bare.estimate(split, options)
      return split === history ? estimate : { ...estimate, evidence: evidenceOf(history) }
    },
  }
}
