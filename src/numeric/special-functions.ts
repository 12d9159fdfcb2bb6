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

/** From here on the series below would need too many terms, and the expansion for large a is exact to a double. */
const large = 1e5

/**
 * Regularised lower incomplete gamma P(a, x), a > 0, x >= 0: the series below
 * x = a + 1, one minus Lentz's continued fraction above, O(sqrt(a)) terms; from
 * a = 100,000 on Temme's expansion, O(1). About 1e-12 relative, whatever a is.
 *
 * Abramowitz & Stegun 6.5.29 and 6.5.31; Temme 1979.
 */
export function gammaP(a: number, x: number): number {
  if (x <= 0) return 0
  if (x === Infinity) return 1
  if (a >= large) return expansion(a, x, -1)
  return x < a + 1 ? series(a, x) : 1 - fraction(a, x)
}

/** Regularised upper incomplete gamma Q(a, x) = 1 - P(a, x), accurate in its own tail. */
export function gammaQ(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Infinity) return 0
  if (a >= large) return expansion(a, x, 1)
  return x < a + 1 ? 1 - series(a, x) : fraction(a, x)
}

/**
 * The x with P(a, x) = p. Wilson-Hilferty start, then bisection-guarded Newton
 * steps on the logarithm of the smaller tail, which is all but straight however
 * small p is. 0 at p = 0 and where x is below all doubles, Infinity at p = 1.
 */
export function gammaQuantile(a: number, p: number): number {
  if (p <= 0) return 0
  if (p >= 1) return Infinity
  const upper = p > 0.5
  const wanted = Math.log(upper ? 1 - p : p)
  let low = 0
  let high = Infinity
  let x = firstGuess(a, p)
  // P(a, x) is x^a / Gamma(a + 1) there, to the last digit.
  if (x < 1e-17 * Math.min(1, a)) return x
  for (let i = 0; i < 200; i++) {
    const tail = upper ? gammaQ(a, x) : gammaP(a, x)
    const excess = Math.log(tail) - wanted
    if (excess === 0) return x
    if (excess > 0 === upper) low = x
    else high = x
    const slope = power(a, x) / x / tail
    const next = upper ? x + excess / slope : x - excess / slope
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
  if (a < 1 || small < 0.1 * a) return small
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
  return Math.min(1, sum * power(a, x))
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
  return Math.min(1, h * power(a, x))
}

/** Coefficients of eta^n / a^k in Temme's expansion, a row for each k. Temme 1979, (3.8) and (4.3). */
const temme = [
  [
    -1 / 3,
    1 / 12,
    -2 / 135,
    1 / 864,
    1 / 2835,
    -139 / 777600,
    3.919263178522438e-5,
    -2.1854485106799924e-6,
    -1.85406221071516e-6,
    8.296711340953087e-7,
  ],
  [-1 / 540, -1 / 288, 1 / 378, -77 / 77760, 1 / 4860, -4.018775720164609e-7],
  [25 / 6048, -139 / 51840, 1 / 1296],
]

/** The upper tail (`side` 1) or the lower (-1) for large a: a normal tail and what it lacks. */
function expansion(a: number, x: number, side: 1 | -1): number {
  const half = deviance(a, { mean: x })
  const z = (x < a ? -1 : 1) * Math.sqrt(2 * half)
  const eta = z / Math.sqrt(a)
  const sum = temme.reduceRight(
    (rest, row) => row.reduceRight((value, c) => value * eta + c, 0) + rest / a,
    0,
  )
  const lacking = (Math.exp(-half) / Math.sqrt(2 * Math.PI * a)) * sum
  return Math.min(1, Math.max(0, normalTail(side * z) + side * lacking))
}

/** x^a e^-x / Gamma(a), without the digits that its terms lose to one another. Loader 2000. */
function power(a: number, x: number): number {
  return Math.sqrt(a / (2 * Math.PI)) * Math.exp(-stirlingError(a) - deviance(a, { mean: x }))
}

/** ln Gamma(k + 1) minus Stirling's approximation to it. */
function stirlingError(k: number): number {
  if (k < 16) return logGamma(k + 1) - (k + 0.5) * Math.log(k) + k - 0.5 * Math.log(2 * Math.PI)
  const square = 1 / (k * k)
  const tail = 1 / 1260 - (1 / 1680 - square / 1188) * square
  return (1 / 12 - (1 / 360 - tail * square) * square) / k
}

/** k ln(k / mean) + mean - k, by a series where k and mean are close and the terms cancel. */
function deviance(k: number, { mean }: { mean: number }): number {
  const apart = k - mean
  if (Math.abs(apart) >= 0.1 * (k + mean)) return k * (Math.log(k) - Math.log(mean)) + mean - k
  const v = apart / (k + mean)
  let sum = apart * v
  let term = 2 * k * v
  for (let j = 1; j < 100; j++) {
    term *= v * v
    const next = sum + term / (2 * j + 1)
    if (next === sum) break
    sum = next
  }
  return sum
}
