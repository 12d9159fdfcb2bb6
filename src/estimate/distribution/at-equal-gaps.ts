import type { History } from '../../model/index.js'
import { pointCurve } from './curves.js'
import type {
  DistributionEstimate,
  DistributionMethod,
  DistributionVerdict,
  Target,
} from './distribution-estimate.js'
import { equalGaps } from './equal-gaps.js'
import { type Runs, runsOf } from './runs.js'
import { gapsIn, type Stretch, type Stretches, seenIn, stretchesOf } from './stretches.js'

/** What sets M3, M4 and M5 apart. */
export interface EqualGapParts {
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
export function atEqualGaps(parts: EqualGapParts): DistributionMethod {
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
