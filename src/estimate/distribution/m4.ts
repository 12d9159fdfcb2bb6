import { atEqualGaps, deltaConsistent } from './at-equal-gaps.js'
import { countLasting } from './runs.js'

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
