/** Points of a curve through the origin, with weights. */
export interface WeightedPoints {
  readonly x: ArrayLike<number>
  readonly y: ArrayLike<number>
  readonly weight: ArrayLike<number>
}

/** a t + b t^2 + c t^3 in t = x / scale; scaled so that no power of a small x underflows. */
export interface Cubic {
  readonly coefficients: readonly [a: number, b: number, c: number]
  readonly scale: number
}

/**
 * The cubic through the origin nearest to the points in weighted least squares;
 * the parabola or the line where the points are too few or too alike for more.
 * O(n).
 */
export function cubicThroughZero(points: WeightedPoints): Cubic {
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

export function slopeOfCubic({ coefficients: [a, b, c], scale }: Cubic, x: number): number {
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
