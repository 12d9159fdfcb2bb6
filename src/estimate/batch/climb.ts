import type { BatchEstimates, PageRange } from './batch-estimates.js'
import { type expander, reach } from './near-series.js'
import { ok } from './verdict-on-counts.js'
import { seriesSize, type WorkingMemory } from './working-memory.js'

/** The climb ends with a step of at most this share of the rate; the error left is its square. */
export const stepTolerance = 1e-9

/**
 * Climbs from the rate reached to the root of eq. 2, for each page of the
 * block that has one. Where the root lies beyond the reach of the series, the
 * series is expanded anew around the rate reached.
 *
 * With f the sum of t / (e^(lambda t) - 1) over changed gaps, S their sum and
 * U the unchanged time, it is Newton's method on G = ln(1 + S / f), which is a
 * straight line when gaps are equal. With h = t / (e^(lambda t) - 1) and
 * k = h + t: G' = S sum(hk) / (sum(h) sum(k)), and by Cauchy-Schwarz
 * G'' <= 0, so no step overshoots, and fewer are needed than on f. The lower
 * bound ln(1 + S/U) L / S that it starts from is its step from lambda = 0.
 */
export function climber(memory: WorkingMemory, expand: ReturnType<typeof expander>) {
  const { reached, changedTime, unchangedTime, series, farCounts } = memory
  const size = seriesSize
  const tolerance = stepTolerance
  const limit = reach
  const solvable = ok
  const farSums = new Float64Array(2)
  const sumFar = farSummer(memory, farSums)
  return function climb({ changeRates, verdicts }: BatchEstimates, { from, to }: PageRange): void {
    for (let b = 0; b < to - from; b++) {
      if (verdicts[from + b] !== solvable) continue
      while (!climbWithinReach(b)) expand({ from: b, to: b + 1 })
      changeRates[from + b] = reached[b]!
    }
  }

  /** False if the last step led out of reach. The rate is rho, in units of the rate reached. */
  function climbWithinReach(b: number): boolean {
    const base = reached[b]!
    const seen = changedTime[b]! * base
    const unseen = unchangedTime[b]! * base
    const perUnseen = 1 / unseen
    const anyFar = farCounts[b]! > 0
    const o = b * size
    const a0 = series[o]!
    const a1 = series[o + 1]!
    const a2 = series[o + 2]!
    const a3 = series[o + 3]!
    const a4 = series[o + 4]!
    const a5 = series[o + 5]!
    const a6 = series[o + 6]!
    const a7 = series[o + 7]!
    const a8 = series[o + 8]!
    const a9 = series[o + 9]!
    const a10 = series[o + 10]!
    const a11 = series[o + 11]!
    const a12 = series[o + 12]!
    const half = series[o + 13]!
    let rho = 1
    let step = 1
    while (Math.abs(step) > tolerance * rho && rho <= limit) {
      // The polynomial in z and its derivative, by Horner's scheme on even and odd powers apart.
      const z = rho * rho
      const w = z * z
      let even = a12 * w + a10
      let evenSlope = a12 * w + even
      let odd = a11 * w + a9
      let oddSlope = a11 * w + odd
      even = even * w + a8
      evenSlope = evenSlope * w + even
      odd = odd * w + a7
      oddSlope = oddSlope * w + odd
      even = even * w + a6
      evenSlope = evenSlope * w + even
      odd = odd * w + a5
      oddSlope = oddSlope * w + odd
      even = even * w + a4
      evenSlope = evenSlope * w + even
      odd = odd * w + a3
      oddSlope = oddSlope * w + odd
      even = even * w + a2
      evenSlope = evenSlope * w + even
      odd = odd * w + a1
      even = even * w + a0
      const inverse = 1 / rho
      const whole = (even + z * odd) * inverse
      let f = whole - half
      let fall = whole * inverse - 2 * (odd + 2 * z * (evenSlope + z * oddSlope))
      if (anyFar) {
        sumFar({ b, rho })
        f += farSums[0]!
        fall += farSums[1]!
      }
      const excess = (f - unseen) * perUnseen
      const all = f + seen
      const y = excess * seen
      // ln(1 + y / all), or where that is small its lower bound, which needs no logarithm.
      step =
        y > all
          ? (Math.log1p(y / all) * all * f) / (seen * fall)
          : (2 * excess * all * f) / ((2 * all + y) * fall)
      rho += step
    }
    reached[b] = rho * base
    return rho <= limit
  }
}

/** The far gaps' part of f and of its fall; e^(rho s) is over 20, so subtracting 1 is harmless. */
function farSummer({ far, ends, farCounts }: WorkingMemory, farSums: Float64Array) {
  return function sumFar({ b, rho }: { b: number; rho: number }): void {
    const end = ends[b]! + farCounts[b]!
    let f = 0
    let fall = 0
    for (let k = ends[b]!; k < end; k++) {
      const s = far[k]!
      const h = s / (Math.exp(rho * s) - 1)
      f += h
      fall += h * (s + h)
    }
    farSums[0] = f
    farSums[1] = fall
  }
}
