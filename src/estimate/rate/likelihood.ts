import { type History, splitCalm } from '../../model/index.js'

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
 * and calm since; the first visit's age is one more. Changes without an age
 * stay hidden in their gap.
 */
export function withContentAges(history: History): Traces {
  return traces(history, { useContentAge: true })
}

function traces(history: History, { useContentAge }: { useContentAge: boolean }): Traces {
  const { observations } = splitCalm(history)
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
 * where nothing was ever calm (callers name both by a verdict).
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
