import type { Stretch } from './stretches.js'

/** Runs counted in gaps: a gap that saw a change, and the unchanged gaps after it. */
export interface Runs {
  /** Runs that ended in another seen change. */
  readonly complete: readonly number[]
  /** The last run of each stretch, cut off by the end of watching. */
  readonly open: readonly number[]
}

/**
 * Cuts stretches into runs; what came before the first seen change of each
 * stretch belongs to none, for its begin is unknown. O(n).
 */
export function runsOf(stretches: readonly Stretch[]): Runs {
  const complete: number[] = []
  const open: number[] = []
  for (const { changed } of stretches) {
    let length = 0
    for (const change of changed) {
      if (change === 1) {
        if (length > 0) complete.push(length)
        length = 1
      } else if (length > 0) length++
    }
    if (length > 0) open.push(length)
  }
  return { complete, open }
}

/** How many runs are at least 1, 2, 3, ... gaps long. O(runs + longest). */
export function countLasting(lengths: Iterable<number>): Float64Array {
  const counts = countOf(lengths)
  for (let n = counts.length - 2; n >= 0; n--) counts[n]! += counts[n + 1]!
  return counts
}

/** How many runs are exactly 1, 2, 3, ... gaps long. */
export function countOf(lengths: Iterable<number>): Float64Array {
  const list = [...lengths]
  const counts = new Float64Array(list.reduce((a, b) => Math.max(a, b), 0))
  for (const length of list) counts[length - 1]! += 1
  return counts
}
