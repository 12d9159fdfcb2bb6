import type { History } from '../../model/index.js'
import { stretchesOf } from './stretches.js'

/** Which visits' content ages to take. */
export type Taken = 'all' | 'last-before-change'

/**
 * The known content ages of a history: of all visits (M2), or only of the last
 * visit before each seen change, the oldest of its content (M1). O(n).
 */
export function knownContentAges(history: History, taken: Taken): Float64Array {
  const out: number[] = []
  const take = (value: number) => {
    if (!Number.isNaN(value)) out.push(value)
  }
  for (const { contentAges, changed } of stretchesOf(history))
    contentAges.forEach((value, j) => {
      if (taken === 'all' || changed[j] === 1) take(value)
    })
  return Float64Array.from(out)
}
