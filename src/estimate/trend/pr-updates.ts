import type { PerSecond, Seconds } from '../../model/index.js'
import { poissonProbability } from '../../numeric/index.js'
import { expectedUpdates, type PowerLaw } from './power-law.js'

/**
 * What the change rate is: constant, Weibull with a shape (beta) and a scale
 * (eta), or a fitted curve's law.
 */
export type Intensity =
  | { readonly changeRate: PerSecond }
  | { readonly shape: number; readonly scale: Seconds }
  | PowerLaw

/** mu(T): the expected number of updates in (0, T]. Infinity where it is beyond the numbers. */
export function meanUpdates(intensity: Intensity, within: Seconds): number {
  if (!(within > 0)) return 0
  if ('changeRate' in intensity) return intensity.changeRate * within
  const law =
    'shape' in intensity
      ? { exponent: intensity.shape, at: intensity.scale, expected: 1 }
      : intensity
  return expectedUpdates(law, within) ?? Infinity
}

/**
 * Pr[N(T) = k], the chance of exactly k updates in (0, T], for whole k; 0
 * where the expected number is beyond the numbers. Stable for large k, O(1).
 *
 * Singh 2007, section 2.
 */
export function prUpdates(
  intensity: Intensity,
  { count, within }: { readonly count: number; readonly within: Seconds },
): number {
  return poissonProbability(count, { mean: meanUpdates(intensity, within) })
}
