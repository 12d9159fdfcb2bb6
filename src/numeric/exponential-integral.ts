const eulerGamma = 0.5772156649015329

/**
 * E1(x), the integral of e^-t / t from x > 0 to infinity: the series up to 1,
 * Lentz's continued fraction above. Infinity at 0.
 *
 * Abramowitz & Stegun 5.1.11 and 5.1.22.
 */
export function expIntegral(x: number): number {
  if (x <= 0) return Infinity
  return x <= 1 ? series(x) : Math.exp(-x) * scaledFraction(x)
}

/** e^x E1(x), finite where E1 itself has underflowed. */
export function scaledExpIntegral(x: number): number {
  if (x <= 0) return Infinity
  return x <= 1 ? Math.exp(x) * series(x) : scaledFraction(x)
}

function series(x: number): number {
  let term = 1
  let sum = 0
  for (let n = 1; n < 60; n++) {
    term *= -x / n
    sum -= term / n
    if (Math.abs(term) < 1e-18) break
  }
  return -eulerGamma - Math.log(x) + sum
}

function scaledFraction(x: number): number {
  let b = x + 1
  let c = Infinity
  let d = 1 / b
  let h = d
  for (let i = 1; i < 500; i++) {
    const an = -i * i
    b += 2
    d = 1 / (an * d + b)
    c = b + an / c
    const delta = c * d
    h *= delta
    if (Math.abs(delta - 1) < 1e-16) break
  }
  return h
}
