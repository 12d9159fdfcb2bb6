import { type DistributionMethod, stepCurve, type Target } from './distribution.js'
import { gapsIn, type Stretch, seenIn, stretchesOf } from './stretches.js'

/** Which visits' content ages to take. */
type Taken = 'all' | 'last-before-change'

/**
 * The known content ages: of all visits (M2), or only of the last visit before
 * each seen change, the oldest of its content (M1). O(n).
 */
function knownContentAges(stretches: readonly Stretch[], taken: Taken): Float64Array {
  const visits = stretches.reduce((sum, { times }) => sum + times.length, 0)
  const out = new Float64Array(visits)
  let count = 0
  for (const { contentAges, changed } of stretches)
    for (let j = 0; j < contentAges.length; j++) {
      const wanted = taken === 'all' || changed[j] === 1
      if (wanted && !Number.isNaN(contentAges[j]!)) out[count++] = contentAges[j]!
    }
  return out.subarray(0, count)
}

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
    const about = { method: 'm1', target, samples: 0 }
    const stretches = stretchesOf(history)
    if (gapsIn(stretches) === 0) return { ...about, kind: 'none', verdict: 'no-observation' }
    const kept = knownContentAges(stretches, 'last-before-change')
    if (kept.length > 0)
      return {
        ...about,
        kind: 'curve',
        verdict: 'ok',
        samples: kept.length,
        curve: stepCurve(kept),
      }
    const changes = seenIn(stretches) !== 'none'
    return { ...about, kind: 'none', verdict: changes ? 'no-content-age' : 'no-change-seen' }
  },
}

const targetOfM2: Target = {
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
    const about = { method: 'm2', target: targetOfM2, samples: kept.length }
    if (gapsIn(stretches) === 0) return { ...about, kind: 'none', verdict: 'no-observation' }
    if (kept.length === 0) return { ...about, kind: 'none', verdict: 'no-content-age' }
    const verdict = seenIn(stretches) === 'none' ? 'no-change-seen' : 'ok'
    return { ...about, kind: 'curve', verdict, curve: stepCurve(kept) }
  },
}
