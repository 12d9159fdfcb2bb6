/**
 * Lambert's W: the w with w e^w = x. The principal branch for x >= -1/e, and
 * the lower branch (w <= -1) for -1/e <= x < 0. Halley's iteration from a
 * series at the branch point or the logarithm; 2 to 5 steps.
 *
 * Corless et al. 1996, On the Lambert W function, eqs 4.18 to 4.22.
 */
export function lambertW(
  x: number,
  { branch = 'principal' }: { branch?: 'principal' | 'lower' } = {},
): number {
  const edge = x + 1 / Math.E
  if (Number.isNaN(x) || edge < -1e-15) return Number.NaN
  if (edge <= 1e-15) return -1
  if (x === Infinity) return Infinity
  if (branch === 'lower')
    return x >= 0 ? (x === 0 ? -Infinity : Number.NaN) : polish(x, lowerStart(x))
  return x === 0 ? 0 : polish(x, principalStart(x))
}

function principalStart(x: number): number {
  if (x < -0.25) return nearEdge(x, 1)
  if (x < 3) return Math.log1p(x) * (1 - Math.log1p(Math.log1p(x)) / (2 + Math.log1p(x)))
  const l = Math.log(x)
  return l - Math.log(l) + Math.log(l) / l
}

function lowerStart(x: number): number {
  if (x < -0.25) return nearEdge(x, -1)
  const l = Math.log(-x)
  return l - Math.log(-l) + Math.log(-l) / l
}

/** Series in p = +-sqrt(2(1 + e x)) around the branch point. */
function nearEdge(x: number, sign: 1 | -1): number {
  const p = sign * Math.sqrt(2 * (1 + Math.E * x))
  return -1 + p - (p * p) / 3 + (11 * p ** 3) / 72
}

function polish(x: number, start: number): number {
  let w = start
  for (let i = 0; i < 30; i++) {
    const e = Math.exp(w)
    const f = w * e - x
    const step = f / (e * (w + 1) - ((w + 2) * f) / (2 * w + 2))
    if (!Number.isFinite(step)) return w
    w -= step
    if (Math.abs(step) <= 1e-16 * Math.abs(w)) break
  }
  return w
}
