import type { PageColumns, VisitLaw } from './allocation.js'

/** A page's change rate and the visit rate allotted to it. */
export interface VisitedPage {
  readonly changeRate: number
  readonly visitRate: number
}

/**
 * Share of time that the copy of a page is fresh under evenly spaced visits:
 * (1 - e^-x) / x, with x changes expected between two visits. Poisson changes.
 * A page that never changes is always fresh; one that does and is never
 * visited, never.
 *
 * Cho & Garcia-Molina 2003, Effective page refresh policies for Web crawlers.
 */
export function evenFreshness({ changeRate, visitRate }: VisitedPage): number {
  if (changeRate === 0) return 1
  const x = changeRate / visitRate
  if (x === 0) return 1
  return x === Infinity ? 0 : -Math.expm1(-x) / x
}

/**
 * The same for visits at random moments (a Poisson process of visits): the
 * share r / (r + D). Azar et al. 2018, Tractable near-optimal policies for crawling.
 */
export function poissonFreshness({ changeRate, visitRate }: VisitedPage): number {
  return changeRate === 0 ? 1 : visitRate / (visitRate + changeRate)
}

/** Weighted mean freshness of a collection; 1 where no page has weight. O(n). */
export function predictedFreshness(
  pages: PageColumns,
  { visitRates, visits }: { visitRates: Float64Array; visits: VisitLaw },
): number {
  const { changeRates, weights } = pages
  const law = visits === 'even' ? evenFreshness : poissonFreshness
  let fresh = 0
  let total = 0
  for (let i = 0; i < changeRates.length; i++) {
    const weight = weights === undefined ? 1 : weights[i]!
    fresh += weight * law({ changeRate: changeRates[i]!, visitRate: visitRates[i]! })
    total += weight
  }
  return total === 0 ? 1 : fresh / total
}

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
function changesAtRoot(root: number): number {
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
function changesAtShortfall(shortfall: number): number {
  const level = -Math.log(shortfall)
  let x = level + Math.log1p(level + Math.log1p(level))
  for (let i = 0; i < 12; i++) {
    const step = ((x - Math.log1p(x) - level) * (1 + x)) / x
    x -= step
    if (Math.abs(step) <= 1e-8 * x) break
  }
  return x
}

/**
 * Visits per change (1/x) at a given marginal gain, from piecewise polynomials
 * of degree 5: no exponential, logarithm or iteration, within 2e-15.
 *
 * As a function of s = sqrt(2 gain), s/x is analytic with its only singularity
 * at gain 1, so equal steps of s serve up to gain 0.9 (x = 3.9). From there to
 * x = 14 the table holds 1/x on equal steps of the fourth root of 1 - gain;
 * beyond, where a page gets a visit in 14 changes, Newton's method.
 */
const ROW = 6
const STEPS = 1024
const BODY_END = 0.9
const TAIL_END = 1 - 2 ** -16
const BODY_ROWS = Math.ceil(Math.sqrt(2 * BODY_END) * STEPS)
const TAIL_ROWS = Math.ceil((1 - BODY_END) ** 0.25 * STEPS) + 1

let table: Float64Array | undefined

/** The table of `visitsPerChange` (91 KB); made at the first call, in some 20 ms. */
export function gainInverse(): Float64Array {
  table ??= makeTable()
  return table
}

/** 1/x where 1 - (1 + x) e^-x = gain, for 0 < gain < 1. The table is an argument to keep loops tight. */
export function visitsPerChange(rows: Float64Array, gain: number): number {
  if (gain < BODY_END) {
    const s = Math.sqrt(2 * gain)
    return lookUp(rows, s * STEPS) / s
  }
  if (gain < TAIL_END) return lookUp(rows, BODY_ROWS + Math.sqrt(Math.sqrt(1 - gain)) * STEPS)
  return 1 / changesAtShortfall(1 - gain)
}

function lookUp(rows: Float64Array, place: number): number {
  const row = place | 0
  const z = place - row
  const at = row * ROW
  const high = rows[at + 3]! + z * (rows[at + 4]! + z * rows[at + 5]!)
  return rows[at]! + z * (rows[at + 1]! + z * (rows[at + 2]! + z * high))
}

function makeTable(): Float64Array {
  const rows = new Float64Array((BODY_ROWS + TAIL_ROWS) * ROW)
  for (let row = 0; row < BODY_ROWS; row++) {
    rows.set(
      interpolate((z) => (row + z) / STEPS / changesAtRoot((row + z) / STEPS)),
      row * ROW,
    )
  }
  for (let row = Math.floor((1 - TAIL_END) ** 0.25 * STEPS); row < TAIL_ROWS; row++) {
    rows.set(
      interpolate((z) => 1 / changesAtShortfall(((row + z) / STEPS) ** 4)),
      (BODY_ROWS + row) * ROW,
    )
  }
  return rows
}

/** Chebyshev nodes of [0, 1], which keep the error of the polynomial through them even. */
const nodes = Array.from({ length: ROW }, (_, j) => (1 - Math.cos((Math.PI * (j + 0.5)) / ROW)) / 2)

/** Coefficients of the powers of z, from Newton's divided differences at the nodes. */
function interpolate(value: (z: number) => number): Float64Array {
  const differences = Float64Array.from(nodes, value)
  for (let order = 1; order < ROW; order++) {
    for (let j = ROW - 1; j >= order; j--) {
      differences[j] = (differences[j]! - differences[j - 1]!) / (nodes[j]! - nodes[j - order]!)
    }
  }
  const powers = new Float64Array(ROW)
  for (let j = ROW - 1; j >= 0; j--) {
    for (let power = ROW - 1; power > 0; power--) {
      powers[power] = powers[power - 1]! - nodes[j]! * powers[power]!
    }
    powers[0] = differences[j]! - nodes[j]! * powers[0]!
  }
  return powers
}
