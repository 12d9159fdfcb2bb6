import { OptionError } from '../../model/errors.js'
import type { Bounds } from '../../model/estimate.js'
import { type History, splitUnchanged } from '../../model/history.js'
import { brent } from '../../numeric/root.js'
import { chiSquareQuantile } from '../../numeric/special-functions.js'

/**
 * What Poisson changes leave behind, in the form every likelihood here takes:
 *
 *   l(rate) = events ln(rate) - rate exposure + sum over hidden of ln(1 - e^(-rate gap))
 *
 * `events` are changes whose time is known, `exposure` is time known to be
 * without further change, `hidden` are gaps in which something changed at an
 * unknown time.
 */
export interface Traces {
  readonly events: number
  readonly exposure: number
  readonly hidden: Float64Array
}

/** Every change taken as seen, each at its own time: the intuitive reading. */
export function asIfAllSeen(history: History): Traces {
  let events = 0
  let exposure = 0
  for (const { gap, changed } of history.observations) {
    exposure += gap
    if (changed) events++
  }
  return { events, exposure, hidden: new Float64Array(0) }
}

/** Only changed or unchanged is known of each gap (Grimes & Ford 3.1). */
export function censored(history: History): Traces {
  return traces(history, { useContentAge: false })
}

/**
 * Content ages taken exactly: an age below its gap is a change at a known time
 * and unchanged since; the first visit's age is one more. Changes without an age
 * stay hidden in their gap.
 */
export function withContentAges(history: History): Traces {
  return traces(history, { useContentAge: true })
}

function traces(history: History, { useContentAge }: { useContentAge: boolean }): Traces {
  const { observations } = splitUnchanged(history)
  const startAge = useContentAge ? history.start.contentAge : undefined
  let events = startAge === undefined ? 0 : 1
  let exposure = startAge ?? 0
  const hidden = new Float64Array(observations.length)
  let count = 0
  for (const { gap, changed, contentAge } of observations) {
    if (!changed) exposure += gap
    else if (useContentAge && contentAge !== undefined) {
      events++
      exposure += Math.min(contentAge, gap)
    } else hidden[count++] = gap
  }
  return { events, exposure, hidden: hidden.subarray(0, count) }
}

/** Log-likelihood of a change rate, up to a constant. O(hidden). */
export function logLikelihood({ events, exposure, hidden }: Traces, changeRate: number): number {
  let total = -changeRate * exposure
  if (events > 0) total += events * Math.log(changeRate)
  for (let i = 0; i < hidden.length; i++) total += Math.log(-Math.expm1(-changeRate * hidden[i]!))
  return total
}

/**
 * The change rate of greatest likelihood: 0 where nothing changed, Infinity
 * where nothing was ever unchanged (callers name both by a verdict).
 *
 * The derivative events/rate - exposure + sum gap/(e^(rate gap) - 1) is convex
 * and falling, so Newton's steps from a lower bound of the root climb to it
 * without overshoot. The bounds: x/(e^x - 1) >= 1 - x/2, and Jensen's
 * ln(1 + S/U) L/S of the shared oracles. Five to nine rounds of one
 * exponential a hidden gap.
 */
export function mostLikelyRate({ events, exposure, hidden }: Traces): number {
  const changes = events + hidden.length
  if (changes === 0) return 0
  if (exposure <= 0) return Infinity
  let hiddenTime = 0
  for (let i = 0; i < hidden.length; i++) hiddenTime += hidden[i]!
  const jensen =
    hiddenTime > 0 ? (Math.log1p(hiddenTime / exposure) * hidden.length) / hiddenTime : 0
  let at = Math.max(changes / (exposure + hiddenTime / 2), jensen)
  for (let round = 0; round < 100; round++) {
    let value = events / at - exposure
    let slope = events / (at * at)
    for (let i = 0; i < hidden.length; i++) {
      const gap = hidden[i]!
      const pull = gap / Math.expm1(at * gap)
      value += pull
      slope += pull * (pull + gap)
    }
    const step = value / slope
    if (!(step > at * 1e-15)) break
    at += step
  }
  return at
}

const defaultLevel = 0.95

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
 * `high` null where nothing was ever unchanged. Asymptotic, good from about five
 * changes; with none it is the exact exponential bound's close neighbour.
 */
export function likelihoodBounds(traces: Traces, { level }: { level: number }): Bounds {
  const best = mostLikelyRate(traces)
  // Every age reported was 0: the likelihood grows without end and bounds nothing.
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
