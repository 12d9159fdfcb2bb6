import type { EstimateOptions, Estimator, Evidence, History, Verdict } from '../../model/index.js'
import { evidenceOf, nothing } from './evidence.js'
import { withContentAges } from './likelihood.js'
import { checkLevel, holding, likelihoodBounds } from './likelihood-bounds.js'

/**
 * Change rate of a page that tells Last-Modified: changes seen over the time in
 * which they were looked for, with a correction for the small sample.
 *
 * T adds the content age where a change was seen and the gap where none was;
 * X' = (X - 1) - X / (N ln(1 - X/N)) takes out the bias of X / T. A change
 * whose age was not told counts half its gap. Poisson changes. O(n).
 *
 * Cho & Garcia-Molina 2003, Figure 5; Malcolm & Armitage scenario 1.
 */
export const lastModified: Estimator = {
  name: 'last-modified',
  summary: 'changes over time looked, by Last-Modified; small-sample corrected',
  needsContentAge: true,
  estimate(history: History, options: EstimateOptions = {}) {
    const level = checkLevel(options.level)
    const evidence = evidenceOf(history)
    if (evidence.observations === 0) return nothing(this.name, evidence, 'no-observation')
    if (evidence.contentAges === 0) return nothing(this.name, evidence, 'no-content-age')
    const looked = timeLooked(history)
    const counted = correctedCount(evidence)
    const likely = likelihoodBounds(withContentAges(history), { level })
    const certain = looked > 0 && counted > 0
    const changeRate = evidence.changes === 0 ? 0 : certain ? counted / looked : null
    return {
      method: this.name,
      changeRate,
      changePeriod: certain ? looked / counted : looked > 0 ? null : 0,
      bounds: changeRate === null ? { ...likely, low: 0 } : holding(likely, changeRate),
      evidence,
      verdict: verdict(evidence, certain),
    }
  },
}

function timeLooked({ observations }: History): number {
  let total = 0
  for (const { gap, changed, contentAge } of observations)
    total += changed ? (contentAge ?? gap / 2) : gap
  return total
}

/** X'; the limit of its last term is 0 where every visit saw a change. */
function correctedCount({ changes, observations }: Evidence): number {
  if (changes === 0) return 0
  if (changes === observations) return changes - 1
  return changes - 1 - changes / (observations * Math.log1p(-changes / observations))
}

/** One visit that saw a change leaves nothing to divide by: X' is 0. */
function verdict({ changes }: Evidence, certain: boolean): Verdict {
  if (changes === 0) return 'no-change-seen'
  return certain ? 'ok' : 'always-changed'
}
