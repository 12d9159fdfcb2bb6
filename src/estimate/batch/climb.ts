import type { BatchEstimates } from './batch-estimates.js'
import { type Block, seriesSize } from './block.js'
import { expand, reach } from './near-series.js'
import { ok } from './verdict-on-counts.js'

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
export function climb(block: Block, { changeRates, verdicts }: BatchEstimates): void {
  const { first, pages, reached } = block
  for (let b = 0; b < pages; b++) {
    if (verdicts[first + b] !== ok) continue
    while (!climbWithinReach(block, b)) expand(block, { from: b, to: b + 1 })
    changeRates[first + b] = reached[b]!
  }
}

/** False if the last step led out of reach. In units of the rate reached, the rate is rho. */
function climbWithinReach(block: Block, b: number): boolean {
  const { series } = block
  const base = block.reached[b]!
  const seen = block.changedTime[b]! * base
  const unseen = block.unchangedTime[b]! * base
  const perUnseen = 1 / unseen
  const anyFar = block.farCounts[b]! > 0
  const o = b * seriesSize
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
  while (Math.abs(step) > stepTolerance * rho && rho <= reach) {
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
    const whole = (even + z * odd) / rho
    let f = whole - half
    let fall = whole / rho - 2 * (odd + 2 * z * (evenSlope + z * oddSlope))
    if (anyFar) {
      sumFar(block, { b, rho })
      f += farSums.f
      fall += farSums.fall
    }
    const excess = (f - unseen) * perUnseen
    const all = f + seen
    const y = excess * seen
    // ln(1 + y / all), or where that is small its lower bound, which needs no logarithm.
    const rise = y > all ? Math.log1p(y / all) : (2 * y) / (2 * all + y)
    step = (rise * all * f) / (seen * fall)
    rho += step
  }
  block.reached[b] = rho * base
  return rho <= reach
}

const farSums = { f: 0, fall: 0 }

/** The far gaps' part of f and of its fall; e^(rho s) is over 20, so subtracting 1 is harmless. */
function sumFar({ far, ends, farCounts }: Block, { b, rho }: { b: number; rho: number }): void {
  const end = ends[b]! + farCounts[b]!
  farSums.f = 0
  farSums.fall = 0
  for (let k = ends[b]!; k < end; k++) {
    const s = far[k]!
    const h = s / (Math.exp(rho * s) - 1)
    farSums.f += h
    farSums.fall += h * (s + h)
  }
}
