import { atEqualGaps, deltaConsistent } from './at-equal-gaps.js'
import { countLasting } from './runs.js'

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
