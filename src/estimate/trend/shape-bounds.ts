import type { Seconds } from '../../model/index.js'
import { gammaQuantile } from '../../numeric/index.js'
import { checkLevel } from '../rate/likelihood-bounds.js'
import { hasNumbers, verdictOfTimes } from './trend-verdict.js'
import { maximumLikelihoodShape } from './weibull.js'

/**
 * Exact bounds of the Weibull shape, from 2 n beta / beta^ being chi-square
 * with 2 (n - 1) degrees of freedom. Bounds that hold 1 agree with a steady
 * page. Null under three points or where there is no shape.
 *
 * Singh 2007, Lemma 1 (after Calabria et al. 1988).
 */
export function shapeBounds(
  times: readonly Seconds[],
  options: { readonly level?: number } = {},
): { readonly low: number; readonly high: number; readonly level: number } | null {
  const level = checkLevel(options.level)
  if (!hasNumbers(verdictOfTimes(times, { needs: 3 }))) return null
  const shape = maximumLikelihoodShape(times)
  if (shape === null) return null
  const at = (p: number) => (gammaQuantile(times.length - 1, p) / times.length) * shape
  const [low, high] = [at((1 - level) / 2), at((1 + level) / 2)]
  return Number.isFinite(high) ? { low, high, level } : null
}
