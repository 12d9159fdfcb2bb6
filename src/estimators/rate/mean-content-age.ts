import type { EstimateOptions, Estimator, Verdict } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { mean } from '../../numeric/summary.js'
import { evidenceOf, inverse, nothing, shortSampling, usingUnchangedFor } from './evidence.js'
import { checkLevel, holding, likelihoodBounds, withContentAges } from './likelihood.js'

/**
 * The content age at every visit at which it is known: reported by the server, or
 * carried on through a gap without change from a visit at which it was reported.
 */
function knownContentAges(history: History): number[] {
  const known: number[] = []
  let current = history.start.contentAge
  if (current !== undefined) known.push(current)
  for (const { gap, changed, contentAge } of history.observations) {
    if (contentAge !== undefined) current = contentAge
    else current = changed || current === undefined ? undefined : current + gap
    if (current !== undefined) known.push(current)
  }
  return known
}

/**
 * Change period of a page that tells Last-Modified: the mean content age over
 * all visits, the first among them.
 *
 * Under Poisson changes the time since the last change has the law of the time
 * between changes, so the mean is unbiased for the period (its inverse is not,
 * for the rate) as long as visits are evenly spaced; visits that follow the
 * estimate bias it by 1 to 10%. Bounds by the exact likelihood of the ages. O(n).
 *
 * Malcolm & Armitage eq. 2.
 */
export const meanContentAge: Estimator = usingUnchangedFor({
  name: 'mean-content-age',
  summary: 'mean age reported by Last-Modified; unbiased for the period at even gaps',
  needsContentAge: true,
  estimate(history: History, options: EstimateOptions = {}) {
    const level = checkLevel(options.level)
    const evidence = evidenceOf(history)
    const known = knownContentAges(history)
    if (known.length === 0) {
      return nothing(
        this.name,
        evidence,
        evidence.observations === 0 ? 'no-observation' : 'no-content-age',
      )
    }
    const changePeriod = mean(known)
    const changeRate = inverse(changePeriod)
    const likely = likelihoodBounds(withContentAges(history), { level })
    const bounds = changeRate === null ? { low: 0, high: null, level } : holding(likely, changeRate)
    return { method: this.name, changeRate, changePeriod, bounds, evidence, verdict: verdict() }

    function verdict(): Verdict {
      if (changeRate === null) return 'always-changed'
      if (evidence.changes === 0) return 'no-change-seen'
      return shortSampling(evidence, changePeriod) ? 'short-sampling' : 'ok'
    }
  },
})

/**
 * The mean content age in three numbers: sum, count, and the age at the last
 * visit, so that an unchanged page which tells no date goes on ageing.
 *
 * Malcolm & Armitage eq. 2.
 */
export const meanContentAgeLearner: Learner = {
  name: 'mean-content-age',
  summary: 'Malcolm & Armitage eq. 2 in three numbers; needs Last-Modified',
  size: 3,
  start(memory, contentAge) {
    const dated = !Number.isNaN(contentAge)
    memory[0] = dated ? contentAge : 0
    memory[1] = dated ? 1 : 0
    memory[2] = contentAge
  },
  learn(memory, { gap, changed, contentAge }) {
    const carried = changed ? Number.NaN : memory[2]! + gap
    const known = !Number.isNaN(contentAge) ? contentAge : carried
    memory[2] = known
    if (Number.isNaN(known)) return
    memory[0]! += known
    memory[1]! += 1
  },
  changePeriod(memory) {
    return memory[1] === 0 ? 0 : memory[0]! / memory[1]!
  },
}
