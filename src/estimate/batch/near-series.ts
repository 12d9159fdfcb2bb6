import type { PageRange } from './batch-estimates.js'
import { seriesSize, type WorkingMemory } from './working-memory.js'

/**
 * Eq. 2 asks for the sum over changed gaps of t / (e^(lambda t) - 1). Written
 * at lambda = rho * reached, with s = reached * t, a term is
 *
 *     s / (e^(rho s) - 1) = (C(rho^2 s^2) - rho s / 2) / rho,
 *     C(y) = (x / 2) coth(x / 2) at y = x^2,
 *
 * and C is so smooth that a polynomial of degree 12 in y gives it to 1.5e-14
 * (the whole term to 1.5e-13 of itself) for all x up to 3.6. So the powers of
 * s^2, summed once, give the sum of all near gaps at any rho from 1 to
 * `reach`: a round of Newton costs one polynomial a page, no exponential a gap.
 * Gaps with s above `farAbove` are few, and keep their exponentials.
 *
 * Coefficients: C(y) = 1 + c1 y + ... + c12 y^12, with (C(y) - 1) / y
 * interpolated at the 12 Chebyshev nodes of [0, 3.6^2] in 60-digit arithmetic.
 */
export const reach = 1.1
const farAbove = 3.27

const c1 = 0.0833333333333317
const c2 = -0.0013888888888528112
const c3 = 3.306878293532717e-5
const c4 = -8.267193824349255e-7
const c5 = 2.0876610024784568e-8
const c6 = -5.283529409422337e-10
const c7 = 1.3363514196436518e-11
const c8 = -3.3530877299600407e-13
const c9 = 8.105184694758375e-15
const c10 = -1.7398299366434908e-16
const c11 = 2.8042460513394236e-18
const c12 = -2.3919168287086732e-20

/**
 * Sets up the series of the block's pages from `from` to below `to`, each
 * around the rate it has reached: thirteen sums over its changed gaps.
 */
export function expander(memory: WorkingMemory) {
  const { gaps, ends, reached, series, far, farCounts } = memory
  const size = seriesSize
  return function expand({ from, to }: PageRange): void {
    for (let b = from; b < to; b++) {
      const base = reached[b]!
      const start = ends[b]!
      const end = ends[b + 1]!
      let farAt = start
      let total = 0
      let m1 = 0
      let m2 = 0
      let m3 = 0
      let m4 = 0
      let m5 = 0
      let m6 = 0
      let m7 = 0
      let m8 = 0
      let m9 = 0
      let m10 = 0
      let m11 = 0
      let m12 = 0
      for (let k = start; k < end; k++) {
        const s = base * gaps[k]!
        if (s > farAbove) {
          far[farAt++] = s
          continue
        }
        total += s
        const y = s * s
        const y2 = y * y
        const y3 = y2 * y
        const y4 = y2 * y2
        const y5 = y4 * y
        const y6 = y3 * y3
        m1 += y
        m2 += y2
        m3 += y3
        m4 += y4
        m5 += y5
        m6 += y6
        m7 += y4 * y3
        m8 += y4 * y4
        m9 += y5 * y4
        m10 += y5 * y5
        m11 += y6 * y5
        m12 += y6 * y6
      }
      farCounts[b] = farAt - start
      const o = b * size
      series[o] = end - farAt
      series[o + 1] = m1 * c1
      series[o + 2] = m2 * c2
      series[o + 3] = m3 * c3
      series[o + 4] = m4 * c4
      series[o + 5] = m5 * c5
      series[o + 6] = m6 * c6
      series[o + 7] = m7 * c7
      series[o + 8] = m8 * c8
      series[o + 9] = m9 * c9
      series[o + 10] = m10 * c10
      series[o + 11] = m11 * c11
      series[o + 12] = m12 * c12
      series[o + 13] = total / 2
    }
  }
}
