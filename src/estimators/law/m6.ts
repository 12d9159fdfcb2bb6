import { OptionError } from '../../model/errors.js'
import type { History } from '../../model/history.js'
import { isotonic } from '../../numeric/isotonic.js'
import type {
  DistributionCurve,
  DistributionMethod,
  DistributionOptions,
  PairBins,
  Target,
} from './distribution.js'
import { changedVerdict, deltaConsistent } from './m3-m5.js'
import {
  equalGaps,
  gapsIn,
  type Stretch,
  type Stretches,
  seenIn,
  stretchesOf,
} from './stretches.js'

/**
 * Counts all pairs of visits not further apart than `count` bins. Each visit
 * looks ahead only until the distance leaves the last bin, so the cost is
 * visits times visits per largest distance, where counting all pairs and
 * dropping the far ones is visits squared; the counts are the same to the bit.
 * A change lies between two visits unless both are in one run without change,
 * so the last visit of that run is all that must be known of the changes.
 *
 * Li, Cline & Loguinov 2015, eqs 26 to 28.
 */
function pairBins(
  stretches: readonly Stretch[],
  { binWidth, count }: { binWidth: number; count: number },
): PairBins {
  const bins = {
    binWidth,
    pairs: new Float64Array(count),
    withChange: new Float64Array(count),
    distance: new Float64Array(count),
  }
  for (const stretch of stretches) sweep(stretch, bins)
  return bins
}

function sweep(stretch: Stretch, { binWidth, pairs, withChange, distance }: PairBins): void {
  const { times } = stretch
  const lastOfRun = lastOfRuns(stretch)
  const count = pairs.length
  for (let i = 0; i < times.length; i++) {
    const from = times[i]!
    const last = lastOfRun[i]!
    for (let j = i + 1; j < times.length; j++) {
      const apart = times[j]! - from
      const bin = Math.ceil(apart / binWidth) - 1
      if (bin >= count) break
      pairs[bin]! += 1
      distance[bin]! += apart
      if (j > last) withChange[bin]! += 1
    }
  }
}

/** For each visit, the last visit that no seen change parts from it. O(n). */
function lastOfRuns({ changed }: Stretch): Int32Array {
  const last = new Int32Array(changed.length + 1)
  last[changed.length] = changed.length
  for (let i = changed.length - 1; i >= 0; i--) last[i] = changed[i] === 1 ? i : last[i + 1]!
  return last
}

/** More pairs than this are not counted unless `upTo` asks for it: about a second's work. */
const pairBudget = 5e7
const mostBins = 1e7

/**
 * Bins for M6 where the caller names none.
 *
 * Equal gaps: one bin a gap, a hair wider than the gap, so that a distance of n
 * gaps with its rounding error stays in bin n. Else about 50 pairs a bin, from a
 * twentieth of the mean gap to a whole one. Up to the longest time without a
 * seen change: beyond it every pair holds a change and the curve is 1.
 */
function binsFor(
  stretches: readonly Stretch[],
  options: DistributionOptions,
): { binWidth: number; count: number } {
  const { delta, equal } = equalGaps(stretches)
  const visits = gapsIn(stretches) + 1
  const spread = delta * Math.min(1, Math.max(0.05, 50 / visits))
  const longest = stretches.reduce((most, each) => Math.max(most, longestQuiet(each)), delta)
  const reach = Math.min(longest, (pairBudget / visits) * delta)
  const width = equal ? delta * (1 + 1e-9) : Math.max(spread, reach / 1000)
  // Gaps near the largest double would make more than it.
  const binWidth = options.binWidth ?? Math.min(Number.MAX_VALUE, width)
  const upTo = options.upTo ?? Math.min(Number.MAX_VALUE, reach + binWidth)
  checkBins({ binWidth, upTo })
  return { binWidth, count: Math.max(1, Math.ceil(upTo / binWidth - 1e-9)) }
}

function longestQuiet(stretch: Stretch): number {
  const last = lastOfRuns(stretch)
  let longest = 0
  for (let i = 0; i < last.length; i++)
    longest = Math.max(longest, stretch.times[last[i]!]! - stretch.times[i]!)
  return longest
}

function checkBins({ binWidth, upTo }: { binWidth: number; upTo: number }): void {
  if (!(binWidth > 0 && upTo > 0 && Number.isFinite(binWidth) && Number.isFinite(upTo)))
    throw new OptionError('bad-bins', 'binWidth and upTo must be finite and above 0')
  if (upTo / binWidth > mostBins)
    throw new OptionError(
      'too-many-bins',
      `${upTo} holds more than ten million bins of ${binWidth}; take wider bins or a smaller upTo`,
    )
}

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
