import { stepCurve } from './curves.js'
import type { DistributionMethod, Target } from './distribution-estimate.js'
import { knownContentAges } from './known-content-ages.js'
import { gapsIn, seenIn, stretchesOf } from './stretches.js'

const target: Target = {
  law: 'neither',
  biased:
    'its tail lies between those of update gaps and of content ages: nearer to update gaps the more visits fall between two changes, nearer to content ages the fewer do',
  unbiasedWhen: 'changes are Poisson, or visits are endlessly fast (gives F_U) or slow (gives G_U)',
}

/**
 * M1: the distribution of the oldest content age seen of each content, that of
 * the last visit before a seen change. The habit of earlier work, right only
 * for Poisson changes: the tail tends to E[G(x + S) - G(x)] / E[G(S)], S the
 * gap. The first visit's content age counts. O(n log n).
 *
 * Li, Cline & Loguinov 2015, eqs 4 to 8.
 */
export const m1: DistributionMethod = {
  name: 'm1',
  summary: 'The oldest content age seen before each change; right only for Poisson changes.',
  needsContentAge: true,
  needsEqualGaps: false,
  estimate(history) {
    const told = { method: 'm1', target, samples: 0 }
    const stretches = stretchesOf(history)
    if (gapsIn(stretches) === 0) return { ...told, kind: 'none', verdict: 'no-observation' }
    const kept = knownContentAges(stretches, 'last-before-change')
    if (kept.length > 0)
      return {
        ...told,
        kind: 'curve',
        verdict: 'ok',
        samples: kept.length,
        curve: stepCurve(kept),
      }
    const changes = seenIn(stretches) !== 'none'
    return { ...told, kind: 'none', verdict: changes ? 'no-content-age' : 'no-change-seen' }
  },
}
