/**
 * The root of a monotone function on [low, high] by bisection, to the last
 * bit. At most about 1,100 steps (the doubles between two numbers), usually 60.
 * A function without a sign change gives the end that is nearer to zero.
 */
export function bisect(f: (x: number) => number, bracket: { low: number; high: number }): number {
  let { low, high } = bracket
  const atLow = f(low)
  const atHigh = f(high)
  if (atLow === 0) return low
  if (atHigh === 0) return high
  if (atLow < 0 === atHigh < 0) return Math.abs(atLow) < Math.abs(atHigh) ? low : high
  for (;;) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) return middle
    const value = f(middle)
    if (value === 0) return middle
    if (value < 0 === atLow < 0) low = middle
    else high = middle
  }
}

/**
 * The root of a smooth function between two points of opposite sign: Brent's
 * method, which takes interpolation steps while they help and bisects when
 * they do not. Converges to about 4 ulp; never leaves the bracket.
 *
 * Brent 1973, Algorithms for Minimization without Derivatives, ch. 4.
 */
export function brent(
  f: (x: number) => number,
  bracket: { low: number; high: number; tolerance?: number },
): number {
  const tolerance = bracket.tolerance ?? 0
  let a = bracket.low
  let b = bracket.high
  let fa = f(a)
  let fb = f(b)
  if (fa === 0) return a
  if (fb === 0) return b
  if (fa < 0 === fb < 0) return Math.abs(fa) < Math.abs(fb) ? a : b
  let c = a
  let fc = fa
  let step = b - a
  let before = step
  for (let i = 0; i < 200; i++) {
    if (Math.abs(fc) < Math.abs(fb)) {
      ;[a, b, c] = [b, c, b]
      ;[fa, fb, fc] = [fb, fc, fb]
    }
    const near = 2 * Number.EPSILON * Math.abs(b) + tolerance / 2
    const half = (c - b) / 2
    if (Math.abs(half) <= near || fb === 0) return b
    const move = interpolate({ a, b, c, fa, fb, fc })
    const keeps = Math.abs(before) >= near && Math.abs(fa) > Math.abs(fb)
    if (
      keeps &&
      move * half > 0 &&
      Math.abs(move) < Math.min(1.5 * Math.abs(half), Math.abs(before) / 2)
    ) {
      before = step
      step = move
    } else {
      before = half
      step = half
    }
    a = b
    fa = fb
    b += Math.abs(step) > near ? step : Math.sign(half) * near
    fb = f(b)
    if (fb < 0 === fc < 0) {
      c = a
      fc = fa
      step = b - a
      before = step
    }
  }
  return b
}

/** Secant where two points are known, inverse quadratic where three are. */
function interpolate(p: {
  a: number
  b: number
  c: number
  fa: number
  fb: number
  fc: number
}): number {
  const s = p.fb / p.fa
  if (p.a === p.c) return ((p.c - p.b) * s) / (s - 1) || 0
  const q = p.fa / p.fc
  const r = p.fb / p.fc
  const top = s * ((p.c - p.b) * q * (q - r) - (p.b - p.a) * (r - 1))
  return top / ((q - 1) * (r - 1) * (s - 1)) || 0
}
