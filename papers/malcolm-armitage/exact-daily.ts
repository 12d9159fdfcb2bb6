import type { Estimator, History, Seconds } from 'revisit/model'
import { logGamma } from 'revisit/numeric'
import { periodOr } from './visit-page.js'

/** Mean and standard deviation of estimates, as multiples of the true change period. */
export interface Moments {
  readonly bias: number
  readonly sd: number
}

export interface EvenSampling {
  readonly gap: Seconds
  readonly gaps: number
}

/**
 * The exact moments of an estimator that only sees changed or unchanged, at
 * equal gaps: the count of changed gaps is binomial, so its 121 possible
 * estimates are added up with their chances. `of` maps an estimate before it
 * is averaged, such as to its inverse.
 */
export function exactMoments(
  estimator: Estimator,
  { changePeriod, gap, gaps }: EvenSampling & { readonly changePeriod: Seconds },
  of: (estimated: Seconds) => number = (estimated) => estimated / changePeriod,
): Moments {
  const values = estimatesByCount(estimator, { gap, gaps }).map(of)
  const chances = binomial({ gaps, gapsPerPeriod: gap / changePeriod })
  let mean = 0
  for (const [i, chance] of chances.entries()) if (chance > 0) mean += chance * values[i]!
  let variance = 0
  for (const [i, chance] of chances.entries())
    if (chance > 0) variance += chance * (values[i]! - mean) ** 2
  return { bias: mean, sd: Math.sqrt(variance) }
}

const cache = new WeakMap<Estimator, Map<string, number[]>>()

/** The estimate for each possible count of changed gaps; their order does not matter. */
function estimatesByCount(estimator: Estimator, { gap, gaps }: EvenSampling): number[] {
  const known = cache.get(estimator) ?? new Map<string, number[]>()
  cache.set(estimator, known)
  const key = `${gap} ${gaps}`
  let found = known.get(key)
  if (found === undefined) {
    found = Array.from({ length: gaps + 1 }, (_, changed) =>
      periodOr(estimator, {
        history: historyWith({ gap, gaps }, changed),
        samplingPeriod: gap * gaps,
      }),
    )
    known.set(key, found)
  }
  return found
}

function historyWith({ gap, gaps }: EvenSampling, changed: number): History {
  return {
    start: { at: 0 },
    observations: Array.from({ length: gaps }, (_, i) => ({
      at: (i + 1) * gap,
      gap,
      changed: i < changed,
    })),
  }
}

/** Chances of 0, 1, ... changed gaps, each changed with 1 - e^-gap/period; by logarithms. */
function binomial({ gaps, gapsPerPeriod }: { gaps: number; gapsPerPeriod: number }): number[] {
  const logChanged = Math.log(-Math.expm1(-gapsPerPeriod))
  return Array.from({ length: gaps + 1 }, (_, k) => {
    const ways = logGamma(gaps + 1) - logGamma(k + 1) - logGamma(gaps - k + 1)
    return Math.exp(ways + k * logChanged - (gaps - k) * gapsPerPeriod)
  })
}
