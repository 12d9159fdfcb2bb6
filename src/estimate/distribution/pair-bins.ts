import type { Stretch } from './stretches.js'

/** Pairs of visits by the bin their distance rounds up to; entry 0 is the bin (0, binWidth]. */
export interface PairBins {
  readonly binWidth: number
  /** W: pairs in the bin. */
  readonly pairs: Float64Array
  /** Z: pairs in the bin with a seen change between. */
  readonly withChange: Float64Array
  /** Sum of the distances in the bin. */
  readonly distance: Float64Array
}

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
export function pairBins(
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
export function lastOfRuns({ changed }: Stretch): Int32Array {
  const last = new Int32Array(changed.length + 1)
  last[changed.length] = changed.length
  for (let i = changed.length - 1; i >= 0; i--) last[i] = changed[i] === 1 ? i : last[i + 1]!
  return last
}
