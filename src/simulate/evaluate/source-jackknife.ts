/** A page or a source: what it adds to both sides of a pooled ratio, such as fresh time over time. */
export interface RatioUnit {
  readonly part: number
  readonly whole: number
}

/** The pooled ratio without one of the units. O(units) once, then O(1). */
export function ratioWithout(units: readonly RatioUnit[]): (left: number) => number {
  let [part, whole] = [0, 0]
  for (const unit of units) {
    part += unit.part
    whole += unit.whole
  }
  return (left) => (part - units[left]!.part) / (whole - units[left]!.whole)
}

/**
 * Standard error of a pooled figure, by leaving out one unit at a time.
 * `without(i)` is the figure on all units but i. Of a whole collection the
 * units are its sources, since pages of one source are alike; of one source
 * they are its pages. Null with a single unit, and where the figure means
 * nothing without one of them.
 */
export function jackknifeError(units: number, without: (unit: number) => number): number | null {
  if (units < 2) return null
  const values = Array.from({ length: units }, (_, unit) => without(unit))
  const centre = values.reduce((a, b) => a + b, 0) / units
  const squares = values.reduce((sum, each) => sum + (each - centre) ** 2, 0)
  const error = Math.sqrt((squares * (units - 1)) / units)
  return Number.isFinite(error) ? error : null
}
