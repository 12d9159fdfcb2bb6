import type { EstimateOptions, Estimator, History, Verdict } from '../../model/index.js'
import { mean } from '../../numeric/index.js'
import { knownContentAges } from './content-ages.js'
import { evidenceOf, inverse, nothing, shortSampling } from './evidence.js'
import { withContentAges } from './likelihood.js'
import { checkLevel, holding, likelihoodBounds } from './likelihood-bounds.js'
import { mindingCalm } from './minding-calm.js'

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
export const meanContentAge: Estimator = mindingCalm({
  name: 'mean-content-age',
  summary: 'mean age told by Last-Modified; unbiased for the period at even gaps',
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
