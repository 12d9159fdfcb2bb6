import { changedVerdict } from './at-equal-gaps.js'
import { stepCurve } from './curves.js'
import type { DistributionMethod, Target } from './distribution-estimate.js'
import { equalGaps } from './equal-gaps.js'
import { gapsIn, type Stretch, stretchesOf } from './stretches.js'

const target: Target = {
  law: 'neither',
  biased:
    'each content age is rounded up by the rest of a gap, and long gaps are hit more often: the tail is too heavy, for Poisson changes too',
  unbiasedWhen: 'all gaps are equal (then it is M4)',
}

/**
 * G-M4: at each visit, the time back to the last visit before the latest seen
 * change. M4 carried over to unequal gaps, where it is badly biased (for
 * exponential gaps the tail tends to that of content age plus a whole
 * exponential); here to be compared with M6. O(n log n).
 *
 * Li, Cline & Loguinov 2015, eq. 25 and figure 14.
 */
export const gM4: DistributionMethod = {
  name: 'g-m4',
  summary: 'M4 at unequal gaps; biased, shown for comparison with M6.',
  needsContentAge: false,
  needsEqualGaps: false,
  estimate(history) {
    const none = { method: 'g-m4', kind: 'none', target, samples: 0 } as const
    const stretches = stretchesOf(history)
    if (gapsIn(stretches) === 0) return { ...none, verdict: 'no-observation' }
    const kept = roundedUp(stretches)
    if (kept.length === 0) return { ...none, verdict: 'no-change-seen' }
    const { delta, equal } = equalGaps(stretches)
    return {
      method: 'g-m4',
      kind: 'curve',
      verdict: changedVerdict(stretches),
      target: equal
        ? { law: 'Delta-consistent age distribution', delta, caution: 'equal gaps: the same as M4' }
        : target,
      samples: kept.length,
      curve: stepCurve(kept),
    }
  },
}

function roundedUp(stretches: readonly Stretch[]): number[] {
  const out: number[] = []
  for (const { times, changed } of stretches) {
    let before = Number.NaN
    for (let j = 0; j < changed.length; j++) {
      if (changed[j] === 1) before = times[j]!
      if (!Number.isNaN(before)) out.push(times[j + 1]! - before)
    }
  }
  return out
}
