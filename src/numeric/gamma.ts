import { normalQuantile } from './normal.js'

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
]

/** ln Gamma(x) for x > 0, to about 1e-14. Lanczos 1964, g = 7; Stirling's series above 1e6. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x)
  if (x > 1e6) return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x)
  const z = x - 1
  let sum = lanczos[0]!
  for (let i = 1; i < lanczos.length; i++) sum += lanczos[i]! / (z + i)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

/**
 * Regularised lower incomplete gamma P(a, x), a > 0, x >= 0: the series below
 * x = a + 1, one minus Lentz's continued fraction above. O(sqrt(a)) terms.
 *
 * Abramowitz & Stegun 6.5.29 and 6.5.31.
 */
export function gammaP(a: number, x: number): number {
  if (x <= 0) return 0
  if (x === Infinity) return 1
  return x < a + 1 ? series(a, x) : 1 - fraction(a, x)
}

/** Regularised upper incomplete gamma Q(a, x) = 1 - P(a, x), accurate in its own tail. */
export function gammaQ(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Infinity) return 0
  return x < a + 1 ? 1 - series(a, x) : fraction(a, x)
}

/**
 * The x with P(a, x) = p. Wilson-Hilferty start, then bisection-guarded Halley
 * steps; 4 to 8 evaluations. 0 at p = 0, Infinity at p = 1.
 */
export function gammaQuantile(a: number, p: number): number {
  if (p <= 0) return 0
  if (p >= 1) return Infinity
  let low = 0
  let high = Infinity
  let x = firstGuess(a, p)
  for (let i = 0; i < 100; i++) {
    const excess = p > 0.5 ? 1 - p - gammaQ(a, x) : gammaP(a, x) - p
    if (excess === 0) return x
    if (excess > 0) high = x
    else low = x
    const density = Math.exp((a - 1) * Math.log(x) - x - logGamma(a))
    const newton = excess / density
    const halley = newton / (1 - 0.5 * Math.min(1, newton * ((a - 1) / x - 1)))
    const next = x - halley
    const inside = Number.isFinite(next) && next > low && next < high
    const moved = inside ? next : high === Infinity ? 2 * x : (low + high) / 2
    if (Math.abs(moved - x) <= 4 * Number.EPSILON * x) return moved
    x = moved
  }
  return x
}

/** Quantile of the chi-square law, which likelihood bounds are cut at. */
export function chiSquareQuantile(p: number, { freedom }: { freedom: number }): number {
  return 2 * gammaQuantile(freedom / 2, p)
}

function firstGuess(a: number, p: number): number {
  const small = Math.exp((Math.log(p) + logGamma(a + 1)) / a)
  if (a < 1 || small < 0.1 * a) return Math.max(small, Number.MIN_VALUE)
  const z = normalQuantile(p)
  const cube = 1 - 1 / (9 * a) + z / (3 * Math.sqrt(a))
  return cube > 0 ? a * cube ** 3 : small
}

function series(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < 100_000; n++) {
    term *= x / (a + n)
    sum += term
    if (term < sum * 1e-17) break
  }
  return Math.min(1, sum * Math.exp(-x + a * Math.log(x) - logGamma(a)))
}

function fraction(a: number, x: number): number {
  const tiny = 1e-300
  let b = x + 1 - a
  let c = 1 / tiny
  let d = 1 / b
  let h = d
  for (let i = 1; i < 100_000; i++) {
    const an = -i * (i - a)
    b += 2
    d = an * d + b
    d = 1 / (Math.abs(d) < tiny ? tiny : d)
    c = b + an / c
    if (Math.abs(c) < tiny) c = tiny
    const delta = c * d
    h *= delta
    if (Math.abs(delta - 1) < 1e-16) break
  }
  return Math.min(1, h * Math.exp(-x + a * Math.log(x) - logGamma(a)))
}
