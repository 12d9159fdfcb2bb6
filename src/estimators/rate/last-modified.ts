import type { EstimateOptions, Estimator, Evidence } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { evidenceOf, inverse, nothing, usingUnchangedFor } from './evidence.js'
import { checkLevel, holding, likelihoodBounds, withContentAges } from './likelihood.js'

/**
 * Change rate of a page that tells Last-Modified: changes seen over the time in
 * which they were looked for, with a correction for the small sample.
 *
 * T adds the content age where a change was seen and the gap where none was;
 * X' = (X - 1) - X / (N ln(1 - X/N)) takes out the bias of X / T. A change
 * whose age was not reported counts half its gap. Poisson changes. O(n).
 *
 * Cho & Garcia-Molina 2003, Figure 5; Malcolm & Armitage scenario 1.
 */
export const lastModified: Estimator = usingUnchangedFor({
  name: 'last-modified',
  summary: 'changes over observed time, by Last-Modified; small-sample corrected',
  needsContentAge: true,
  estimate(history: History, options: EstimateOptions = {}) {
    const level = checkLevel(options.level)
    const evidence = evidenceOf(history)
    if (evidence.observations === 0) return nothing(this.name, evidence, 'no-observation')
    if (evidence.contentAges === 0) return nothing(this.name, evidence, 'no-content-age')
    const counted = correctedCount(evidence)
    const changePeriod = counted > 0 ? observedTime(history) / counted : null
    const changeRate = changePeriod === null ? null : inverse(changePeriod)
    const bounds = likelihoodBounds(withContentAges(history), { level })
    if (evidence.changes === 0)
      return {
        method: this.name,
        changeRate: 0,
        changePeriod,
        bounds,
        evidence,
        verdict: 'no-change-seen',
      }
    return {
      method: this.name,
      changeRate,
      changePeriod,
      bounds: changeRate === null ? bounds : holding(bounds, changeRate),
      evidence,
      verdict: changeRate === null ? 'always-changed' : 'ok',
    }
  },
})

function observedTime({ observations }: History): number {
  let total = 0
  for (const { gap, changed, contentAge } of observations)
    total += changed ? (contentAge ?? gap / 2) : gap
  return total
}

/**
 * X'; the limit of its last term is 0 where every visit saw a change. A single
 * visit that saw one leaves 0: nothing to divide by.
 */
function correctedCount({
  changes,
  observations,
}: Pick<Evidence, 'changes' | 'observations'>): number {
  if (changes === 0) return 0
  if (changes === observations) return changes - 1
  return changes - 1 - changes / (observations * Math.log1p(-changes / observations))
}

const observed = 0
const count = 1
const changes = 2
const dated = 3

/**
 * Cho & Garcia-Molina's Last-Modified estimate in four numbers: observed time,
 * gaps, changes, content ages reported. 0 until an age is reported, and while the only
 * gap saw a change; no change seen gives the observed time. The same formula
 * as the estimator above.
 *
 * Cho & Garcia-Molina 2003, Figure 5.
 */
export const lastModifiedLearner: Learner = {
  name: 'last-modified',
  summary: 'changes over observed time, by Last-Modified, in four numbers',
  size: 4,
  start(memory, contentAge) {
    memory.fill(0)
    memory[dated] = Number.isNaN(contentAge) ? 0 : 1
  },
  learn(memory, { gap, changed, contentAge }) {
    const known = !Number.isNaN(contentAge)
    memory[observed]! += !changed ? gap : known ? contentAge : gap / 2
    memory[count]! += 1
    if (changed) memory[changes]! += 1
    if (known) memory[dated]! += 1
  },
  changePeriod(memory) {
    if (memory[dated] === 0 || memory[count] === 0) return 0
    if (memory[changes] === 0) return memory[observed]!
    const counted = correctedCount({
      changes: memory[changes]!,
      observations: memory[count]!,
    })
    return counted > 0 ? memory[observed]! / counted : 0
  },
}
