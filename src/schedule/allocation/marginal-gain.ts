/**
 * What one more visit adds to the freshness of a page, as a share of what the
 * very first one adds: 1 - (1 + x) e^-x, with x changes expected between two
 * evenly spaced visits. Rises from 0 to 1. As a sum of positive terms where
 * x is small, so accurate to a few ulp everywhere.
 *
 * Cho & Garcia-Molina 2003: the derivative of freshness, times D.
 */
export function marginalGain(x: number): number {
  if (x > 700) return 1
  if (x > 1) return 1 - (1 + x) * Math.exp(-x)
  let term = (x * x) / 2
  let total = 0
  for (let k = 3; term > total * 1e-17; k++) {
    total += term
    term *= x / k
  }
  return total * Math.exp(-x)
}

/**
 * The x with marginalGain(x) = root^2 / 2, for 0 < root < sqrt(2): Newton on
 * the root, 1 to 4 steps from the series of Lambert's W at its branch point
 * (Corless et al. 1996, eq. 4.22), as x = -1 - W((gain - 1)/e) on the lower branch.
 */
export function changesAtRoot(root: number): number {
  let x = root * (1 + root * (1 / 3 + root * (11 / 72 + root * (43 / 540 + (root * 769) / 17280))))
  for (let i = 0; i < 12; i++) {
    const here = Math.sqrt(2 * marginalGain(x))
    const step = ((here - root) * here) / (x * Math.exp(-x))
    x -= step
    if (Math.abs(step) <= 1e-8 * x) break
  }
  return x
}

/**
 * The x with (1 + x) e^-x = shortfall, for 0 < shortfall <= 1/2, that is a
 * gain of 1 - shortfall: Newton on the logarithm, 3 steps.
 * (A step of 1e-8 leaves an error of its square.)
 */
export function changesAtShortfall(shortfall: number): number {
  const level = -Math.log(shortfall)
  let x = level + Math.log1p(level + Math.log1p(level))
  for (let i = 0; i < 12; i++) {
    const step = ((x - Math.log1p(x) - level) * (1 + x)) / x
    x -= step
    if (Math.abs(step) <= 1e-8 * x) break
  }
  return x
}
