/** Sum with Neumaier's compensation: the rounding error does not grow with the count. */
export function sum(values: ArrayLike<number>): number {
  let total = 0
  let lost = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + (Number.isFinite(lost) ? lost : 0)
}

export function mean(values: ArrayLike<number>): number {
  return values.length === 0 ? Number.NaN : sum(values) / values.length
}

/** Unbiased sample variance (divides by n - 1); 0 for a single value. */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) return values.length === 1 ? 0 : Number.NaN
  const centre = mean(values)
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (values[i]! - centre) ** 2
  return squares / (values.length - 1)
}

/**
 * The p-quantile of values already in ascending order, interpolated linearly
 * between order statistics (type 7 of Hyndman & Fan 1996).
 */
function quantileSorted(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return Number.NaN
  const position = Math.min(1, Math.max(0, p)) * (sorted.length - 1)
  const below = Math.floor(position)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low === high ? low : low + (position - below) * (high - low)
}

/** The p-quantile of values in any order. O(n log n), leaves the input alone. */
export function quantile(values: ArrayLike<number>, p: number): number {
  return quantileSorted(Float64Array.from(values).sort(), p)
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5)
}

/** Least-squares line y = intercept + slope x. A single x gives a level line. */
export function fitLine(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): { slope: number; intercept: number } {
  const centreX = mean(x)
  const centreY = mean(y)
  let both = 0
  let squares = 0
  for (let i = 0; i < x.length; i++) {
    both += (x[i]! - centreX) * (y[i]! - centreY)
    squares += (x[i]! - centreX) ** 2
  }
  const slope = squares > 0 ? both / squares : 0
  return { slope, intercept: centreY - slope * centreX }
}
