import type { EstimateOptions, Estimator } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { evidenceOf, nothing, usingUnchangedFor, verdictOf } from './evidence.js'
import { asIfAllSeen, checkLevel, likelihoodBounds } from './likelihood.js'

/**
 * Changes seen, divided by time.
 *
 * Counts one change a gap at the most, so it is biased low unless gaps are
 * much shorter than the change period, and its bounds (as if every change had
 * been seen) are biased with it. It is here because it is what everybody
 * computes first. O(n).
 *
 * Malcolm & Armitage eq. 1; Singh 3.1; Grimes & Ford 3.2.
 */
export const intuitive: Estimator = usingUnchangedFor({
  name: 'intuitive',
  summary: 'changes seen / time; too low unless gaps are much shorter than the change period',
  needsContentAge: false,
  estimate(history: History, options: EstimateOptions = {}) {
    const level = checkLevel(options.level)
    const evidence = evidenceOf(history)
    const verdict = verdictOf(evidence)
    if (verdict === 'no-observation') return nothing(this.name, evidence, verdict)
    const { changes, samplingPeriod } = evidence
    return {
      method: this.name,
      changeRate: changes / samplingPeriod,
      changePeriod: changes === 0 ? null : samplingPeriod / changes,
      bounds: likelihoodBounds(asIfAllSeen(history), { level }),
      evidence,
      verdict,
    }
  },
})

/** Time sampled / changes seen, in two numbers. Malcolm & Armitage eq. 1. */
export const intuitiveLearner: Learner = {
  name: 'intuitive',
  summary: 'time / changes seen, in two numbers',
  size: 2,
  start(memory) {
    memory[0] = 0
    memory[1] = 0
  },
  learn(memory, { gap, changed }) {
    memory[0]! += gap
    if (changed) memory[1]! += 1
  },
  changePeriod(memory) {
    return memory[1] === 0 ? memory[0]! : memory[0]! / memory[1]!
  },
}
