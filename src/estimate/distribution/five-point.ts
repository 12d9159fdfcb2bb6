import type { Cdf } from './distances.js'

/**
 * The derivative at x from five points at and after x, error O(h^4):
 * (-25 f0 + 48 f1 - 36 f2 + 16 f3 - 3 f4) / 12h. For the edge at 0.
 *
 * Abramowitz & Stegun, table 25.2.
 */
export function forwardSlope(f: Cdf, { x, step }: { x: number; step: number }): number {
  const at = (k: number) => f(x + k * step)
  return (-25 * at(0) + 48 * at(1) - 36 * at(2) + 16 * at(3) - 3 * at(4)) / (12 * step)
}

/**
 * The derivative at x from two points on either side: the same order, a sixth
 * of the noise of the one-sided form, so it is taken wherever there is room.
 */
export function centredSlope(f: Cdf, { x, step }: { x: number; step: number }): number {
  const at = (k: number) => f(x + k * step)
  return (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * step)
}
