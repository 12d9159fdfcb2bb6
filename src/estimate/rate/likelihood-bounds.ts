import { type Bounds, OptionError } from '../../model/index.js'
import { brent, chiSquareQuantile } from '../../numeric/index.js'
import { logLikelihood, mostLikelyRate, type Traces } from './likelihood.js'

export const defaultLevel = 0.95

/** Refuses a level that is no share of the time. */
export function checkLevel(level = defaultLevel): number {
  if (level > 0 && level < 1) return level
  throw new OptionError(
    'bad-level',
    `the level of bounds lies between 0 and 1, such as 0.95; got ${level}`,
  )
}

/**
 * Likelihood bounds of a change rate: all rates whose log-likelihood is within
 * half the chi-square quantile of the best. `low` is 0 where nothing changed,
 * `high` null where nothing was ever calm. Asymptotic, good from about five
 * changes; with none it is the exact exponential bound's close neighbour.
 */
export function likelihoodBounds(traces: Traces, { level }: { level: number }): Bounds {
  const best = mostLikelyRate(traces)
  // Every age told was 0: the likelihood grows without end and bounds nothing.
  if (best === Infinity && traces.events > 0) return { low: 0, high: null, level }
  const cut = peak(traces, best) - chiSquareQuantile(level, { freedom: 1 }) / 2
  const excess = (logRate: number) => logLikelihood(traces, Math.exp(logRate)) - cut
  const from = Math.log(startingPoint(traces, best))
  const low = best === 0 ? 0 : crossing(excess, { from, step: -1 })
  const high = best === Infinity ? null : crossing(excess, { from, step: 1 })
  return { low, high, level }
}

/** Bounds that also hold the estimate itself, where a method is not the likelihood's own. */
export function holding(bounds: Bounds, changeRate: number): Bounds {
  const high = bounds.high === null ? null : Math.max(bounds.high, changeRate)
  return { low: Math.min(bounds.low, changeRate), high, level: bounds.level }
}

function peak(traces: Traces, best: number): number {
  if (best === 0 || best === Infinity) return 0
  return logLikelihood(traces, best)
}

/** A rate inside the bounds from which to walk outwards. */
function startingPoint({ exposure, hidden }: Traces, best: number): number {
  if (best === 0) return 1e-9 / exposure
  if (best < Infinity) return best
  let shortest = Infinity
  for (const gap of hidden) shortest = Math.min(shortest, gap)
  return shortest < Infinity ? (40 + Math.log(hidden.length)) / shortest : 1
}

/** Walks out in steps that double until the likelihood is cut, then closes in. */
function crossing(
  excess: (logRate: number) => number,
  walk: { from: number; step: number },
): number {
  let inner = walk.from
  let outer = walk.from + walk.step
  let { step } = walk
  while (excess(outer) > 0 && Math.abs(outer) < 700) {
    inner = outer
    step *= 2
    outer += step
  }
  return Math.exp(
    brent(excess, { low: Math.min(inner, outer), high: Math.max(inner, outer), tolerance: 1e-13 }),
  )
}
