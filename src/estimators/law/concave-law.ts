import { isotonic, leastConcaveMajorant } from '../../numeric/isotonic.js'
import {
  cdfAt,
  type DistributionCurve,
  type DistributionEstimate,
  reaches,
} from './distribution.js'
import { lawCaution, type UpdateLaw, usable, type WithCurve } from './update-law.js'

/** Points of a curve through the origin, with weights. */
interface WeightedPoints {
  readonly x: ArrayLike<number>
  readonly y: ArrayLike<number>
  readonly weight: ArrayLike<number>
}

/** a t + b t^2 + c t^3 in t = x / scale; scaled so that no power of a small x underflows. */
interface Cubic {
  readonly coefficients: readonly [a: number, b: number, c: number]
  readonly scale: number
}

/**
 * The cubic through the origin nearest to the points in weighted least squares;
 * the parabola or the line where the points are too few or too alike for more.
 * O(n).
 */
function cubicThroughZero(points: WeightedPoints): Cubic {
  const scale = points.x[points.x.length - 1] ?? 0
  if (!(scale > 0)) return { coefficients: [0, 0, 0], scale: 1 }
  const moments = momentsOf(points, scale)
  for (const degree of [3, 2, 1]) {
    const found = points.x.length > degree || degree === 1 ? solve(moments, degree) : null
    if (found === null) continue
    const [a = 0, b = 0, c = 0] = found
    return { coefficients: [a, b, c], scale }
  }
  return { coefficients: [0, 0, 0], scale }
}

function slopeOfCubic({ coefficients: [a, b, c], scale }: Cubic, x: number): number {
  const t = x / scale
  return (a + 2 * b * t + 3 * c * t * t) / scale
}

interface Moments {
  /** Sums of w x^2, w x^3, ... w x^6. */
  readonly powers: readonly number[]
  /** Sums of w y x, w y x^2, w y x^3. */
  readonly products: readonly number[]
}

function momentsOf({ x, y, weight }: WeightedPoints, scale: number): Moments {
  const powers = [0, 0, 0, 0, 0]
  const products = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const t = x[i]! / scale
    for (let k = 0; k < 5; k++) powers[k]! += weight[i]! * t ** (k + 2)
    for (let k = 0; k < 3; k++) products[k]! += weight[i]! * y[i]! * t ** (k + 1)
  }
  return { powers, products }
}

/** The normal equations by elimination; null where they are singular. */
function solve({ powers, products }: Moments, degree: number): number[] | null {
  const rows = Array.from({ length: degree }, (_, r) => [
    ...powers.slice(r, r + degree),
    products[r]!,
  ])
  for (let p = 0; p < degree; p++) {
    const pivot = rows[p]!
    if (!(pivot[p]! > 1e-12 * powers[0]!)) return null
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[p]! / pivot[p]!
      for (let c = p; c <= degree; c++) row[c]! -= factor * pivot[c]!
    }
  }
  return rows.map((row, r) => row[degree]! / row[r]!)
}

/** Points of the cubic's part, and of F_U drawn from it. */
const cubicPoints = 100
const cubicGrid = 20

/**
 * F_U and E[U] from the least concave majorant of the isotonic age
 * distribution: G_U is concave for every law of update gaps (g never rises), so
 * the slopes of the majorant are the nearest such g. Near 0, where the majorant
 * is too steep, g is the slope of a weighted cubic through the lower part.
 * Less noise than the five-point derivative at moderate lengths of watching. O(n).
 *
 * Grenander 1956; the shared note on Li, Cline & Loguinov 2015.
 */
export function concaveLaw(estimate: DistributionEstimate): UpdateLaw {
  const fit = usable(estimate, 'concave')
  if ('kind' in fit) return fit
  const low = lowerFit(fit.estimate)
  const period = 1 / low.slope
  if (!(low.slope > 0 && period > 0 && Number.isFinite(period)))
    return { kind: 'none', by: 'concave', why: 'no-slope-at-zero' }
  return {
    kind: 'law',
    by: 'concave',
    changePeriod: period,
    changeRate: low.slope,
    ...gapLaw(edges(fit.estimate.curve), low),
    caution: lawCaution(fit.estimate),
  }
}

interface LowerFit {
  readonly cubic: Cubic
  /** Where the part that the cubic was fitted to ends. */
  readonly end: number
  /** g(0): the cubic's, but never less than the chord's, for a concave curve is steepest at 0. */
  readonly slope: number
}

function lowerFit(estimate: WithCurve): LowerFit {
  const end = reaches(estimate.curve, shareFor(estimate))
  const cubic = cubicThroughZero(lowerPart(estimate, end))
  const chord = end > 0 ? cdfAt(estimate.curve, end) / end : 0
  return { cubic, end, slope: Math.max(chord, slopeOfCubic(cubic, 0)) }
}

/**
 * The share of the age distribution the cubic is fitted to: a half where it is
 * well known (a cubic bends away from longer parts), up to 0.8 where M6 has few
 * pairs below the median (a short part is noise). On Pareto updates seen at
 * exponential gaps this is near the best share from 1,000 to 100,000 visits.
 */
function shareFor({ curve, bins }: WithCurve): number {
  if (bins === undefined) return 0.5
  const median = reaches(curve, 0.5)
  let pairs = 0
  for (let i = 0; i < curve.x.length && curve.x[i]! <= median; i++) pairs += curve.weight[i]!
  return 0.5 + 0.3 * Math.min(1, Math.sqrt(400 / Math.max(1, pairs)))
}

/** Points up to `end`, each weighted by the inverse variance of a share. */
function lowerPart({ curve, bins, samples }: WithCurve, end: number): WeightedPoints {
  const x =
    curve.shape === 'line'
      ? curve.x.filter((at) => at <= end)
      : Float64Array.from({ length: cubicPoints }, (_, k) => (end * (k + 1)) / cubicPoints)
  const y = x.map((at) => cdfAt(curve, at))
  const weight = y.map((p, i) => {
    const behind = bins === undefined ? samples : curve.weight[i]!
    return behind / (p * (1 - p) + 1 / (behind + 2))
  })
  return { x, y, weight }
}

/** The middle and the slope of each edge of the majorant of the curve and the origin. */
function edges(curve: DistributionCurve): { x: number; slope: number }[] {
  const from = curve.x[0] === 0 ? 1 : 0
  const x = [0, ...curve.x.subarray(from)]
  const y = leastConcaveMajorant(x, [0, ...curve.cdf.subarray(from)])
  const slopeOf = (i: number) => (y[i]! - y[i - 1]!) / (x[i]! - x[i - 1]!)
  const out: { x: number; slope: number }[] = []
  for (let i = 1, begin = 0; i < x.length; i++) {
    if (i + 1 < x.length && slopeOf(i) <= slopeOf(i + 1) * (1 + 1e-9)) continue
    out.push({ x: (x[begin]! + x[i]!) / 2, slope: (y[i]! - y[begin]!) / (x[i]! - x[begin]!) })
    begin = i
  }
  return out
}

/** F_U from the cubic up to `end`, and in the middle of each edge of the majorant beyond. */
function gapLaw(
  majorant: readonly { x: number; slope: number }[],
  { cubic, end, slope }: LowerFit,
): { x: Float64Array; cdf: Float64Array } {
  const lower = Array.from({ length: cubicGrid + 1 }, (_, k) => {
    const x = (end * k) / cubicGrid
    return { x, slope: slopeOfCubic(cubic, x) }
  })
  const all = [...lower, ...majorant.filter(({ x }) => x > end)]
  const raw = all.map((each) => Math.max(-1, 1 - each.slope / slope))
  const cdf = isotonic(raw).map((value) => Math.min(1, Math.max(0, value)))
  cdf[0] = 0
  return { x: Float64Array.from(all, ({ x }) => x), cdf }
}
