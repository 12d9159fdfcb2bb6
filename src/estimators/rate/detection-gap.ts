import type { Estimate, EstimateOptions, Estimator, Evidence } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import {
  evidenceOf,
  inverse,
  nothing,
  shortSampling,
  usingUnchangedFor,
  verdictOf,
} from './evidence.js'
import { censored, checkLevel, holding, likelihoodBounds } from './likelihood.js'

/**
 * Change period from the mean gap in which a change was detected, divided by
 * ln(sampling period / time without change), then pulled towards the sampling
 * period to take out the bias of few changes.
 *
 * No change seen gives the sampling period, the limit of the formula; a change
 * at every visit gives 0. The correction makes estimates beyond the sampling
 * period impossible, so sample three change periods at least. O(n).
 *
 * Malcolm & Armitage eq. 3, natural logarithm.
 */
export const detectionGap: Estimator = detectionGapWith({ corrected: true })

/** Without the last line of eq. 3: biased for the period, but its inverse is unbiased for the rate. */
export const detectionGapUncorrected: Estimator = detectionGapWith({ corrected: false })

export function detectionGapWith({ corrected }: { corrected: boolean }): Estimator {
  const name = corrected ? 'detection-gap' : 'detection-gap-uncorrected'
  const summary = corrected
    ? 'from the gaps in which changes were detected; for uneven gaps without Last-Modified'
    : 'the same before its correction: unbiased for the rate instead of the period'
  return usingUnchangedFor({
    name,
    summary,
    needsContentAge: false,
    estimate(history: History, options: EstimateOptions = {}): Estimate {
      const level = checkLevel(options.level)
      const evidence = evidenceOf(history)
      const verdict = verdictOf(evidence)
      if (verdict === 'no-observation') return nothing(name, evidence, verdict)
      const changePeriod = corrected ? correctedPeriod(evidence) : uncorrectedPeriod(evidence)
      const changeRate = changePeriod === null ? 0 : inverse(changePeriod)
      const likely = likelihoodBounds(censored(history), { level })
      const short = verdict === 'ok' && shortSampling(evidence, changePeriod ?? Infinity)
      return {
        method: name,
        changeRate,
        changePeriod,
        bounds: verdict === 'ok' && changeRate !== null ? holding(likely, changeRate) : likely,
        evidence,
        verdict: short ? 'short-sampling' : verdict,
      }
    },
  })
}

/** Null where no change was seen: the uncorrected form has no limit there. */
function uncorrectedPeriod({ samplingPeriod, unchangedTime, changes }: Evidence): number | null {
  if (changes === 0) return null
  if (unchangedTime === 0) return 0
  const changedTime = Math.max(0, samplingPeriod - unchangedTime)
  const logRatio = Math.log1p(changedTime / unchangedTime)
  // A changed gap lost in the rounding of the sum: the ratio's own limit.
  return logRatio > 0 ? changedTime / changes / logRatio : samplingPeriod / changes
}

function correctedPeriod(evidence: Evidence): number {
  const first = uncorrectedPeriod(evidence)
  return first === null ? evidence.samplingPeriod : first / (1 + first / evidence.samplingPeriod)
}

/**
 * The detection-gap estimate in three numbers: time sampled, time without
 * change, changes. Before any gap 0; no change seen gives the time sampled, a
 * change at every visit 0, which is how Malcolm & Armitage's scheduler reads
 * it. The same formula as the estimator above, without its verdicts.
 *
 * Malcolm & Armitage eq. 3.
 */
export const detectionGapLearner: Learner = {
  name: 'detection-gap',
  summary: 'Malcolm & Armitage eq. 3 in three numbers',
  size: 3,
  start(memory) {
    memory.fill(0)
  },
  learn(memory, { gap, changed }) {
    memory[0]! += gap
    if (changed) memory[2]! += 1
    else memory[1]! += gap
  },
  changePeriod(memory) {
    const first = detectionGapUncorrectedLearner.changePeriod(memory)
    return memory[2] === 0 || first === 0 ? first : first / (1 + first / memory[0]!)
  },
}

/** The same before its correction. */
export const detectionGapUncorrectedLearner: Learner = {
  ...detectionGapLearner,
  name: 'detection-gap-uncorrected',
  summary: 'the same before its correction, in three numbers',
  changePeriod(memory) {
    const sampled = memory[0]!
    const unchanged = memory[1]!
    const changes = memory[2]!
    if (changes === 0) return sampled
    if (unchanged === 0) return 0
    return (sampled - unchanged) / changes / Math.log(sampled / unchanged)
  },
}
