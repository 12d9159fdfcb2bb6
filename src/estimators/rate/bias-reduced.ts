import type { EstimateOptions, Estimator } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { evidenceOf, nothing, usingUnchangedFor, verdictOf } from './evidence.js'
import { censored, checkLevel, holding, likelihoodBounds } from './likelihood.js'

/** Gaps count as equal while the longest is at most 5% longer than the shortest. */
export const evenness = 1.05

/**
 * Change rate of a page visited at equal gaps, corrected for small samples.
 *
 * A visit tells only whether the page changed, so changes per gap are
 * -ln(share unchanged); the halves keep that finite when every visit saw a
 * change. Poisson changes. Unequal gaps are replaced by their mean, and the
 * verdict says so. O(n).
 *
 * Cho & Garcia-Molina 2003; Grimes & Ford eq. 1, whose left side reads C over
 * change period, not the inverse that is printed.
 */
export const biasReduced: Estimator = usingUnchangedFor({
  name: 'bias-reduced',
  summary: '-ln(share of gaps unchanged), small-sample corrected; for equal gaps',
  needsContentAge: false,
  estimate(history: History, options: EstimateOptions = {}) {
    const level = checkLevel(options.level)
    const evidence = evidenceOf(history)
    const seen = verdictOf(evidence)
    if (seen === 'no-observation') return nothing(this.name, evidence, seen)
    const { observations, changes, samplingPeriod } = evidence
    const perGap = -Math.log((observations - changes + 0.5) / (observations + 0.5))
    const changeRate = changes === 0 ? 0 : (perGap * observations) / samplingPeriod
    return {
      method: this.name,
      changeRate,
      changePeriod: changes === 0 ? null : 1 / changeRate,
      bounds: holding(likelihoodBounds(censored(history), { level }), changeRate),
      evidence,
      verdict: seen === 'ok' && !even(history) ? 'unequal-gaps' : seen,
    }
  },
})

function even({ observations }: History): boolean {
  let shortest = Infinity
  let longest = 0
  for (const { gap } of observations) {
    shortest = Math.min(shortest, gap)
    longest = Math.max(longest, gap)
  }
  return longest <= evenness * shortest
}

const sampled = 0
const count = 1
const changes = 2

/**
 * The bias-reduced estimate in three numbers: time sampled, gaps, changes. For
 * equal gaps; others are taken at their mean. No change seen gives the time
 * sampled. The same formula as the estimator above.
 *
 * Cho & Garcia-Molina 2003.
 */
export const biasReducedLearner: Learner = {
  name: 'bias-reduced',
  summary: '-ln(share of gaps unchanged), small-sample corrected, in three numbers',
  size: 3,
  start(memory) {
    memory.fill(0)
  },
  learn(memory, { gap, changed }) {
    memory[sampled]! += gap
    memory[count]! += 1
    if (changed) memory[changes]! += 1
  },
  changePeriod(memory) {
    const [time, gaps, seen] = [memory[sampled]!, memory[count]!, memory[changes]!]
    if (seen === 0) return time
    return time / gaps / -Math.log((gaps - seen + 0.5) / (gaps + 0.5))
  },
}
