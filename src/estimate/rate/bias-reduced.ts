import type { EstimateOptions, Estimator, History } from '../../model/index.js'
import { evidenceOf, nothing, verdictOf } from './evidence.js'
import { censored } from './likelihood.js'
import { checkLevel, holding, likelihoodBounds } from './likelihood-bounds.js'
import { mindingCalm } from './minding-calm.js'

/** Gaps count as equal while the longest is at most 5% longer than the shortest. */
const evenness = 1.05

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
export const biasReduced: Estimator = mindingCalm({
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
