import type { History } from '../../model/index.js'
import { isotonic } from '../../numeric/index.js'
import { changedVerdict, deltaConsistent } from './at-equal-gaps.js'
import type {
  DistributionCurve,
  DistributionMethod,
  DistributionOptions,
  Target,
} from './distribution-estimate.js'
import { equalGaps } from './equal-gaps.js'
import { binsFor } from './m6-bins.js'
import { type PairBins, pairBins } from './pair-bins.js'
import { gapsIn, type Stretch, type Stretches, seenIn, stretchesOf } from './stretches.js'

const anywhere: Target = {
  law: 'age distribution',
  caution:
    'each bin holds the mean of G_U over the bin; near 0 it is only known down to the shortest gap',
}

/**
 * M6: the share of pairs of visits with a change between them, by their
 * distance. Tends to the age distribution G_U for any law of update gaps, at
 * gaps of any kind; at equal gaps it tells no more than M4. Visits times
 * visits per largest distance, linear in the visits; see pair-bins.ts.
 *
 * A bin (y - h, y] holds the mean of G_U over the bin and not, as printed, G_U
 * at its right end: the curve puts it at the mean distance of its pairs, which
 * is the centre of the bin where gaps are spread and the multiple of the gap
 * where they are equal. The raw shares need not rise; the curve is their
 * isotonic fit, weighted by pairs. Bins without a pair are left out.
 *
 * Li, Cline & Loguinov 2015, eqs 26 to 30.
 */
export const m6: DistributionMethod = {
  name: 'm6',
  summary: 'Pairs of visits by distance; the age distribution at gaps of any kind.',
  needsContentAge: false,
  needsEqualGaps: false,
  estimate(history, options = {}) {
    const stretches = stretchesOf(history)
    if (gapsIn(stretches) === 0)
      return { method: 'm6', kind: 'none', verdict: 'no-observation', target: anywhere, samples: 0 }
    const bins = m6Bins({ stretches }, options)
    const curve = curveOf(bins)
    const target = targetOf(stretches)
    const samples = curve.weight.reduce((a, b) => a + b, 0)
    const verdict = seenIn(stretches) === 'none' ? 'no-change-seen' : changedVerdict(stretches)
    if (samples === 0)
      return { method: 'm6', kind: 'none', verdict: 'no-observation', target, samples }
    return { method: 'm6', kind: 'curve', verdict, target, samples, curve, bins }
  },
}

/** The counts of M6 alone. */
export function m6Bins(history: History | Stretches, options: DistributionOptions = {}): PairBins {
  const stretches = stretchesOf(history)
  return pairBins(stretches, binsFor(stretches, options))
}

function targetOf(stretches: readonly Stretch[]): Target {
  const { delta, equal } = equalGaps(stretches)
  return equal ? deltaConsistent(delta, 'equal gaps: no more than M4 tells') : anywhere
}

function curveOf({ pairs, withChange, distance }: PairBins): DistributionCurve {
  const filled = Array.from(pairs.keys()).filter((bin) => pairs[bin]! > 0)
  const weight = Float64Array.from(filled, (bin) => pairs[bin]!)
  const raw = Float64Array.from(filled, (bin) => withChange[bin]! / pairs[bin]!)
  const x = Float64Array.from(filled, (bin) => distance[bin]! / pairs[bin]!)
  return { shape: 'line', x, cdf: isotonic(raw, weight), weight }
}
