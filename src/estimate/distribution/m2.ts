import { stepCurve } from './curves.js'
import type { DistributionMethod, Target } from './distribution-estimate.js'
import { knownContentAges } from './known-content-ages.js'
import { gapsIn, seenIn, stretchesOf } from './stretches.js'

const target: Target = {
  law: 'age distribution',
  caution:
    'assumes that visits and changes are not locked in phase, and that content ages are missing at random if at all',
}

/**
 * M2: the distribution of all content ages, the first visit's among them.
 * Tends to the age distribution G_U for any law of update gaps and of visit
 * gaps, unless the two are locked in phase. Without a seen change it holds the
 * ages of one content only, and says so. O(n log n).
 *
 * Li, Cline & Loguinov 2015, eqs 11 and 12.
 */
export const m2: DistributionMethod = {
  name: 'm2',
  summary: 'All content ages; gives the age distribution for any kind of page.',
  needsContentAge: true,
  needsEqualGaps: false,
  estimate(history) {
    const stretches = stretchesOf(history)
    const kept = knownContentAges(stretches, 'all')
    const told = { method: 'm2', target, samples: kept.length }
    if (gapsIn(stretches) === 0) return { ...told, kind: 'none', verdict: 'no-observation' }
    if (kept.length === 0) return { ...told, kind: 'none', verdict: 'no-content-age' }
    const verdict = seenIn(stretches) === 'none' ? 'no-change-seen' : 'ok'
    return { ...told, kind: 'curve', verdict, curve: stepCurve(kept) }
  },
}
