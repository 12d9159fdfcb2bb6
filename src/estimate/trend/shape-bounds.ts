import type { Seconds } from '../../model/index.js'
import { gammaQuantile } from '../../numeric/index.js'
import { checkLevel } from '../rate/likelihood-bounds.js'
import type { FitOptions } from './trend-curve.js'
import { hasNumbers, verdictOfTimes } from './trend-verdict.js'
import { freeLogs, maximumLikelihoodShape } from './weibull.js'

/**
 * Exact bounds of the Weibull shape, from 2 n beta / beta^ being chi-square
 * with 2 (n - 1) degrees of freedom; 2 n where updates were looked for beyond the
 * last one, as `until` says (Crow 1974). Bounds that hold 1 agree with a steady page. Null under three points or where there is no shape.
 *
 * Singh 2007, Lemma 1 (after Calabria et al. 1988).
 */
export function shapeBounds(
  times: readonly Seconds[],
  options: FitOptions & { readonly level?: number } = {},
): { readonly low: number; readonly high: number; readonly level: number } | null {
  const level = checkLevel(options.level)
  if (!hasNumbers(verdictOfTimes(times, { needs: 3 }))) return null
  const shape = maximumLikelihoodShape(times, options)
  if (shape === null) return null
  const freedom = freeLogs(times, options)
  const at = (p: number) => (gammaQuantile(freedom, p) / times.length) * shape
  const [low, high] = [at((1 - level) / 2), at((1 + level) / 2)]
  return Number.isFinite(high) ? { low, high, level } : null
}
