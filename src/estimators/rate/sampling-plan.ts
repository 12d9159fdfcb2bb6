import type { Seconds } from '../../model/units.js'

/** A page visited at equal gaps. */
export interface Sampling {
  readonly changePeriod: Seconds
  /** Time between two visits. */
  readonly gap: Seconds
  /** Visits, the first among them. */
  readonly visits: number
}

/** What a visit tells: only whether the page changed, or the age of its content (Last-Modified). */
export type ObservedKind = 'changes' | 'content-ages'

/**
 * The gap that needs the fewest visits where a visit tells only whether the
 * page changed, in change periods: the least (e^x - 1) / x^2, at
 * x = 2 + W(-2 / e^2).
 */
export const cheapestGap = 1.5936242600400401

/** More visits than this are none that anyone makes. */
const mostVisits = 2 ** 50

/**
 * Relative standard error of the change period that a sampling gives; null
 * where it tells nothing. Poisson changes.
 *
 * From changes (irregular MLE): sqrt((e^x - 1) / (n x^2)) with x the gap in
 * change periods and n the gaps, by the Fisher information of n yes-or-no
 * answers. It is the limit for many visits: under about ten changes expect more.
 * From content ages (mean content age): exact, see `meanAgeVariance`. O(1).
 */
export function samplingError(
  { changePeriod, gap, visits }: Sampling,
  observed: ObservedKind,
): number | null {
  const x = gap / changePeriod
  const variance =
    observed === 'changes' ? Math.expm1(x) / x / x / (visits - 1) : meanAgeVariance({ x, visits })
  return variance > 0 && variance < Infinity ? Math.sqrt(variance) : null
}

/**
 * The fewest visits that bring the relative standard error down to `error`;
 * null where no number of visits does.
 */
export function visitsNeeded(
  { changePeriod, gap, error }: Omit<Sampling, 'visits'> & { readonly error: number },
  observed: ObservedKind,
): number | null {
  const enough = (visits: number) => {
    const reached = samplingError({ changePeriod, gap, visits }, observed)
    return reached !== null && reached <= error
  }
  let high = 2
  while (!enough(high)) {
    high *= 2
    if (high > mostVisits) return null
  }
  let low = high / 2
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (enough(middle)) high = middle
    else low = middle
  }
  return enough(low) ? low : high
}

/**
 * Variance of the mean of N content ages over the squared change period. The
 * age of a Poisson page is exponential, and two ages t apart have the
 * correlation e^(-t / period): if no change fell between, the later one is the
 * earlier plus t; if one did, it knows nothing of the earlier. So it is
 * (1 + 2 sum (1 - k/N) r^k) / N with r = e^-x, summed in closed form.
 * Agrees with scenario 2 of Malcolm & Armitage.
 */
function meanAgeVariance({ x, visits: n }: { x: number; visits: number }): number {
  // The closed form loses its digits where all visits fall into a moment; first order there.
  if (n * x < 1e-6) return 1 - (x * (n * n - 1)) / (3 * n)
  const lost = -Math.expm1(-x)
  const sum = (Math.exp(-x) / lost) * (1 + Math.expm1(-n * x) / (n * lost))
  return (1 + 2 * sum) / n
}
