/**
 * The standard normal law's quantile: a rational start (relative error 1.2e-9)
 * and one Halley step on the tail function. P. J. Acklam's coefficients.
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return -Infinity
  if (p >= 1) return Infinity
  if (p > 0.5) return -normalQuantile(1 - p)
  const x = acklam(p)
  const error = normalTail(-x) - p
  const u = error * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2)
  return x - u / (1 + (x * u) / 2)
}

/** The chance that a standard normal exceeds x, accurate far into both tails. */
export function normalTail(x: number): number {
  return 0.5 * erfc(x / Math.SQRT2)
}

/**
 * Complementary error function: Taylor series of erf below 2, Lentz's continued
 * fraction above; about 1e-14 relative. Abramowitz & Stegun 7.1.6 and 7.1.14.
 */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x)
  if (x > 27) return 0
  if (x < 2) return 1 - erfSeries(x)
  let f = 0
  for (let k = 60; k >= 1; k--) f = k / 2 / (x + f)
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + f)
}

function erfSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; n < 200; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
    if (term < sum * 1e-17) break
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

function acklam(p: number): number {
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p))
    const top =
      ((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q -
        2.549732539343734) *
        q +
        4.374664141464968) *
        q +
      2.938163982698783
    const bottom =
      (((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q +
        3.754408661907416) *
        q +
      1
    return top / bottom
  }
  const q = p - 0.5
  const r = q * q
  const top =
    (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r +
      138.357751867269) *
      r -
      30.66479806614716) *
      r +
      2.506628277459239) *
    q
  const bottom =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r +
      66.80131188771972) *
      r -
      13.28068155288572) *
      r +
    1
  return top / bottom
}
