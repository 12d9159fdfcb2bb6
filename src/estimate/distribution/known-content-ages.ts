import type { Stretch } from './stretches.js'

/** Which visits' content ages to take. */
export type Taken = 'all' | 'last-before-change'

/**
 * The known content ages: of all visits (M2), or only of the last visit before
 * each seen change, the oldest of its content (M1). O(n).
 */
export function knownContentAges(stretches: readonly Stretch[], taken: Taken): Float64Array {
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
