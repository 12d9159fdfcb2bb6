import { fitLine } from 'revisit/numeric'

/** `count` values from `low` to `high`, each by the same factor above the one before. */
export function logGrid(given: { low: number; high: number; count: number }): number[] {
  const { low, high, count } = given
  const factor = (high / low) ** (1 / (count - 1))
  return Array.from({ length: count }, (_, i) => low * factor ** i)
}

/** The power of x by which y goes: the slope of log y on log x. */
export function powerOf(x: readonly number[], y: readonly number[]): number {
  return fitLine(x.map(Math.log), y.map(Math.log)).slope
}
