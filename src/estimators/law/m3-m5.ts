import type { History } from '../../model/history.js'
import {
  type DistributionEstimate,
  type DistributionMethod,
  type DistributionVerdict,
  pointCurve,
  stepCurve,
  type Target,
} from './distribution.js'
import {
  countLasting,
  countOf,
  equalGaps,
  gapsIn,
  type Runs,
  runsOf,
  type Stretch,
  type Stretches,
  seenIn,
  stretchesOf,
} from './stretches.js'

/** What sets M3, M4 and M5 apart. */
interface EqualGapParts {
  readonly name: string
  readonly summary: string
  target(delta: number): Target
  /** Samples of 1, 2, 3, ... gaps, and what their running sum is divided by; total 0: no sample. */
  count(runs: Runs, seen: { gaps: number }): { counts: Float64Array; total: number }
}

const unequal: Target = {
  law: 'neither',
  biased:
    'the gaps differ by more than 5%, so lengths counted in gaps are not times; no bound on the error is known',
  unbiasedWhen: 'all gaps are equal; M6 needs no equal gaps',
}

/** A method that counts runs in gaps, with the verdicts such methods share. O(n). */
function atEqualGaps(parts: EqualGapParts): DistributionMethod {
  const estimate = (history: History | Stretches): DistributionEstimate => {
    const stretches = stretchesOf(history)
    const gaps = gapsIn(stretches)
    const none = { method: parts.name, kind: 'none', samples: 0 } as const
    if (gaps === 0) return { ...none, verdict: 'no-observation', target: parts.target(0) }
    const { delta, equal } = equalGaps(stretches)
    const target = equal ? parts.target(delta) : unequal
    const runs = runsOf(stretches)
    if (runs.open.length === 0) return { ...none, verdict: 'no-change-seen', target }
    const { counts, total } = parts.count(runs, { gaps })
    if (counts.length === 0) return { ...none, verdict: 'no-complete-run', target }
    const samples = counts.reduce((a, b) => a + b, 0)
    const curve = pointCurve(counts, { delta, total })
    const verdict = equal ? changedVerdict(stretches) : 'unequal-gaps'
    return { method: parts.name, kind: 'curve', verdict, target, samples, curve }
  }
  const { name, summary } = parts
  return { name, summary, needsContentAge: false, needsEqualGaps: true, estimate }
}

/** `always-changed` where every gap saw a change: the page may be faster than any gap here. */
export function changedVerdict(
  stretches: readonly Stretch[],
): Extract<DistributionVerdict, 'ok' | 'always-changed'> {
  return seenIn(stretches) === 'all' ? 'always-changed' : 'ok'
}

/** The target of M4, M5 and, at equal gaps, M6. */
export function deltaConsistent(delta: number, caution: string): Target {
  return { law: 'Delta-consistent age distribution', delta, caution }
}

/**
 * M3: the distribution of times between seen changes, in whole gaps. Commonly
 * taken for the law of update gaps; it is so only for Poisson changes or
 * endlessly fast visits, for a gap hides all changes but one. Its tail at n
 * gaps tends to (G((n+1) Delta) - G(n Delta)) / G(Delta). O(n).
 *
 * Li, Cline & Loguinov 2015, eqs 16 to 18. Eq. 17 as printed compares r_k, a
 * count, with the time T, and counts a run that ends after T: read here as
 * r_(k+1) Delta <= T, so only runs that ended are counted.
 */
export const m3 = atEqualGaps({
  name: 'm3',
  summary: 'Times between seen changes at equal gaps; right only for Poisson changes.',
  target: () => ({
    law: 'neither',
    biased:
      'its tail lies between those of update gaps and of content ages: a gap hides all changes but one',
    unbiasedWhen:
      'changes are Poisson, or the gap is endlessly short (gives F_U) or long (gives G_U)',
  }),
  count: ({ complete }) => ({ counts: countOf(complete), total: complete.length }),
})

/**
 * M4: the distribution, over all visits since the first seen change, of the
 * content age rounded up to whole gaps. Tends to the age distribution G_U at
 * multiples of the gap, for any law of update gaps. O(n).
 *
 * A run of L gaps gives the values 1 to L, so the count of value n is the count
 * of runs of n gaps or more, the open run among them.
 *
 * Li, Cline & Loguinov 2015, eqs 19 and 20.
 */
export const m4 = atEqualGaps({
  name: 'm4',
  summary: 'Content ages rounded up to whole gaps; the age distribution at multiples of the gap.',
  target: (delta) =>
    deltaConsistent(delta, 'assumes that visits and changes are not locked in phase'),
  count({ complete, open }) {
    const counts = countLasting([...complete, ...open])
    return { counts, total: counts.reduce((a, b) => a + b, 0) }
  },
})

/**
 * M5: the age distribution at multiples of the gap from one sample a seen
 * change: the sum over runs of min(x, run), over the watching time T. O(n).
 *
 * What lies before the first seen change and after the last belongs to no run
 * but is in T, so the curve ends below 1 by that share: the loss at the ends
 * of the window, which vanishes as 1/T. `m5Runs` does not have it.
 *
 * Li, Cline & Loguinov 2015, eqs 21 and 22.
 */
export const m5 = atEqualGaps({
  name: 'm5',
  summary: 'One sample a change, over the watching time; low by the ends of the window.',
  target: (delta) =>
    deltaConsistent(
      delta,
      'too low by the share of time before the first and after the last seen change',
    ),
  count: ({ complete }, { gaps }) => ({ counts: countLasting(complete), total: gaps }),
})

/**
 * M5 over the time of complete runs instead of T: the same curve scaled to end
 * at 1. It equals M4 without the open run, so a long open run is missed. O(n).
 */
export const m5Runs = atEqualGaps({
  name: 'm5-runs',
  summary: 'One sample a change, over the time of complete runs.',
  target: (delta) => deltaConsistent(delta, 'misses the run that is still open at the end'),
  count({ complete }) {
    const counts = countLasting(complete)
    return { counts, total: counts.reduce((a, b) => a + b, 0) }
  },
})

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
