import type { DistributionCurve } from './distribution-estimate.js'

/** The empirical distribution of a sample, equal values as one step. O(n log n). */
export function stepCurve(sample: ArrayLike<number>): DistributionCurve {
  const sorted = new Float64Array(sample).sort()
  const n = sorted.length
  const x = new Float64Array(n)
  const cdf = new Float64Array(n)
  const weight = new Float64Array(n)
  let steps = 0
  for (let i = 0; i < n; i++) {
    if (steps === 0 || sorted[i] !== x[steps - 1]) x[steps++] = sorted[i]!
    cdf[steps - 1] = (i + 1) / n
    weight[steps - 1]! += 1
  }
  const filled = (column: Float64Array) => (steps === n ? column : column.slice(0, steps))
  return { shape: 'steps', x: filled(x), cdf: filled(cdf), weight: filled(weight) }
}

/**
 * A line through whole multiples of `delta`, from how many samples have each
 * whole value 1, 2, ...: the running sum over `total`. O(values).
 */
export function pointCurve(
  counts: ArrayLike<number>,
  { delta, total }: { delta: number; total: number },
): DistributionCurve {
  let running = 0
  const cdf = Float64Array.from(counts, (count) => {
    running += count
    return Math.min(1, running / total)
  })
  const x = Float64Array.from(counts, (_, i) => (i + 1) * delta)
  return { shape: 'line', x, cdf, weight: Float64Array.from(counts) }
}

/** The curve's value at x: 0 below 0, the last value beyond the end. O(log n). */
export function cdfAt(curve: DistributionCurve, x: number): number {
  const after = firstAbove(curve.x, x)
  if (curve.shape === 'steps') return after === 0 ? 0 : curve.cdf[after - 1]!
  if (x <= 0) return 0
  if (after === curve.x.length) return after === 0 ? 0 : curve.cdf[after - 1]!
  const [x0, y0] = after === 0 ? [0, 0] : [curve.x[after - 1]!, curve.cdf[after - 1]!]
  return y0 + ((curve.cdf[after]! - y0) * (x - x0)) / (curve.x[after]! - x0)
}

/** The least of the curve's x at which it reaches p; the last one if it never does. O(n). */
export function reaches(curve: DistributionCurve, p: number): number {
  const i = curve.cdf.findIndex((value) => value >= p)
  return curve.x[i < 0 ? curve.x.length - 1 : i]!
}

function firstAbove(sorted: Float64Array, x: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= x) low = middle + 1
    else high = middle
  }
  return low
}
